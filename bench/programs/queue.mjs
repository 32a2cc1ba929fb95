/**
 * A batch over a queue: `queue.mjs CELLS`. Starts a redis-server of its own. A worker of BullMQ that does nothing but return a result
 * shows what the queue costs without any agent. Prints cells per second, bytes in Redis for a cell and for an event, and the
 * memory of the batch.
 */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "bullmq";
import { Redis } from "ioredis";
import { checkPlan } from "../../dist/batch/check-plan.js";
import { makeCells } from "../../dist/batch/make-cells.js";
import { batchPlaces } from "../../dist/batch/places.js";
import { connectQueue } from "../../dist/batch/queue/connection.js";
import { openLane } from "../../dist/batch/queue/lane.js";
import { createLiveEvents } from "../../dist/batch/queue/live-events.js";
import { queueName, queuePrefix } from "../../dist/batch/queue/protocol.js";
import { createQueueExecutor } from "../../dist/batch/queue/queue-executor.js";

const count = Number(process.argv[2]);
const directory = mkdtempSync(join(tmpdir(), "harness-bench-queue-"));
const port = await freePort();
const url = `redis://127.0.0.1:${port}`;
const options = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
const server = spawn("redis-server", [...options, "--dir", directory], { stdio: "ignore" });
const redis = new Redis(url, { maxRetriesPerRequest: null, retryStrategy: () => 20 });
redis.on("error", () => {});
await redis.ping();

const version = "0.0.0";
const prompt = "The test for the cart total fails. Find out why and fix it. ".repeat(8);
const plan = checkPlan({
  name: "bench",
  tasks: [{ id: "task", prompt, setup: "npm ci", check: "npm test" }],
  arms: [{ agent: "claude", model: "opus" }],
  repeats: count,
});
const sources = { task: { kind: "empty" } };
const before = heap();
const cells = makeCells({ plan, sources, arms: { [plan.arms[0].id]: "hash" } });

const places = batchPlaces(join(directory, "batch"));
mkdirSync(places.directory, { recursive: true });
const results = {
  cellsPerSecond: await through(),
  bytesPerCell: await waitingCells(),
  ...(await streamed()),
};
const after = heap();
console.log(JSON.stringify({ ...results, batchBytesPerCell: (after - before) / count }));
redis.disconnect();
server.kill("SIGKILL");
rmSync(directory, { recursive: true, force: true });
process.exit(0);

/** Every cell through the queue, there and back. */
async function through() {
  const worker = new Worker(queueName(version, "claude"), async (job) => resultOf(job.data.cell), {
    connection: redis,
    prefix: queuePrefix,
    concurrency: 16,
  });
  worker.on("error", () => {});
  const about = { id: "bench", name: "bench", version, protocol: 1, host: "bench", pid: 1, load: 0 };
  const here = { agents: { claude: null }, concurrency: 16, running: 0, isDraining: false, startedAt: "" };
  await redis.sadd("harness:workers", "bench");
  await redis.set("harness:worker:bench", JSON.stringify({ ...about, ...here }));
  const executor = await createQueueExecutor({
    url,
    version,
    batchId: "bench",
    plan,
    sources,
    places,
    sessionsDirectory: join(directory, "sessions"),
    onNotice() {},
  });
  let done = 0;
  const host = {
    mustWait: () => false,
    mayStart: () => true,
    started() {},
    retrying() {},
    done: () => void done++,
  };
  const start = performance.now();
  await executor.run(cells, host);
  const seconds = (performance.now() - start) / 1000;
  if (done !== count) throw new Error(`${done} of ${count} cells came back`);
  await worker.close();
  return count / seconds;
}

/** What a cell that waits takes in Redis. */
async function waitingCells() {
  await redis.flushall();
  const connection = await connectQueue({ url, onNotice() {} });
  const lane = openLane({ connection, version, batchId: "bench", agent: "claude", onEvent() {} });
  const empty = await usedMemory();
  for (let at = 0; at < count; at += 500)
    await lane.add(cells.slice(at, at + 500).map((cell) => ({ cell, attempts: [] })));
  const used = await usedMemory();
  await lane.close();
  connection.close();
  return (used - empty) / count;
}

/** The events of a real run, as they lie in the stream. */
async function streamed() {
  const capture = new URL(
    "../../test/fixtures/captures/claude/2.1.325-files/expected/full.jsonl",
    import.meta.url,
  );
  const events = linesOf(capture).map((line) => JSON.parse(line));
  const stream = createLiveEvents(redis, "run");
  let number = 0;
  while (number < 2000)
    for (const event of events) {
      stream.push([{ events: [event] }]);
      // An agent that prints a few hundred lines a second.
      if (number++ % 5 === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    }
  await stream.end();
  const used = await redis.call("MEMORY", "USAGE", "harness:events:run", "SAMPLES", "0");
  const bytes = linesOf(capture).reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
  return { bytesPerEvent: used / number, bytesPerLine: bytes / events.length };
}

function resultOf(cell) {
  const now = new Date().toISOString();
  return {
    result: {
      cellId: cell.id,
      taskId: cell.task.id,
      armId: cell.arm.id,
      repetition: cell.repetition,
      verdict: "passed",
      startedAt: now,
      endedAt: now,
      attempts: 1,
      retries: [],
      throttled: 0,
      commands: { run: 0, failed: 0 },
    },
    files: [],
    problems: [],
  };
}

function linesOf(url) {
  return readFileSync(url, "utf8").trimEnd().split("\n");
}

async function usedMemory() {
  return Number(/used_memory:(\d+)/.exec(await redis.info("memory"))?.[1]);
}

function heap() {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

async function freePort() {
  const probe = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => probe.once("listening", resolve));
  const { port: free } = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return free;
}
