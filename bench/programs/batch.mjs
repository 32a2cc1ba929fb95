/**
 * Many cells of an agent that takes 50 ms, 8 at once: `batch.mjs batch|bare CELLS DIRECTORY`. `bare` only spawns the same program. Prints
 * how long it took, and what the heap holds after a fifth of the cells and at the end.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { defineAgent, runBatch } from "../../dist/index.js";

const [, , how, count, directory] = process.argv;
const cells = Number(count);
const atOnce = 8;
const script = `sleep 0.05; echo '{"type":"done"}'`;
const startedAt = performance.now();
const heap = how === "bare" ? await runBare() : await runCells();
console.log(JSON.stringify({ ms: performance.now() - startedAt, ...heap }));

async function runBare() {
  let left = cells;
  const loop = async () => {
    while (left-- > 0) {
      const child = spawn("/bin/sh", ["-c", script], { stdio: ["ignore", "pipe", "pipe"] });
      child.stdout.resume();
      child.stderr.resume();
      await once(child, "close");
    }
  };
  await Promise.all(Array.from({ length: atOnce }, loop));
  return {};
}

async function runCells() {
  const agent = defineAgent({
    id: "shell",
    binaries: ["sh"],
    isolation: { variables: { SHELL_AGENT_HOME: "" }, credentials: [] },
    launch: (task) => ({ args: ["-c", task.prompt] }),
    createMapping: () => ({
      record(_record, out) {
        out.run.terminal = "success";
        out.consume("done");
      },
    }),
  });
  const batch = await runBatch(
    {
      name: "bench",
      concurrency: atOnce,
      repeats: cells,
      tasks: [{ id: "task", prompt: script }],
      arms: [{ agent: "shell" }],
    },
    {
      batchesDirectory: join(directory, "batches"),
      sessionsDirectory: join(directory, "sessions"),
      resolveArm: () => ({ agent }),
    },
  );
  const heap = {};
  let done = 0;
  for await (const line of batch) {
    if (line.type !== "done") continue;
    if (line.verdict !== "passed") throw new Error(`${line.cellId}: ${line.reason}`);
    done += 1;
    if (done === cells / 5) heap.early = usedHeap();
    if (done === cells) heap.late = usedHeap();
  }
  return heap;
}

/** In MB. */
function usedHeap() {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 1e6;
}
