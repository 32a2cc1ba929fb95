import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import type { Batch } from "../../src/batch/batch.js";
import { listWorkers } from "../../src/batch/queue/list-workers.js";
import { recordingPaths } from "../../src/runs/recording/paths.js";
import {
  hangs,
  ledgerOf,
  leftKeys,
  leftRuns,
  makePlaces,
  planOf,
  runOnQueue,
  startTestWorker,
  succeeds,
  type TestPlaces,
  until,
  version,
} from "./support/batches.js";
import { startFakeS3 } from "./support/fake-s3.js";
import { buildPrograms, removePrograms, type StartedProgram, startProgram } from "./support/programs.js";
import { describeWithRedis, type RedisServer, startRedis } from "./support/redis-server.js";

describeWithRedis("a batch over a queue", () => {
  let server: RedisServer;
  let places: TestPlaces;
  let programs: StartedProgram[] = [];
  const worker = (options: object = {}, env: Record<string, string> = {}) => {
    const program = startTestWorker(server.url, places, options, env);
    programs.push(program);
    return program;
  };
  beforeAll(buildPrograms);
  afterAll(removePrograms);
  beforeEach(async () => {
    server = await startRedis();
    places = makePlaces();
  });
  afterEach(async () => {
    await Promise.all(programs.map((program) => program.kill()));
    programs = [];
    await server.close();
    places.remove();
    vi.unstubAllEnvs();
  });

  it("carries out every cell on a worker, and brings its recording and its files here", async () => {
    worker();
    const tasks = [{ id: "task", prompt: `${succeeds}; echo hello > made.txt`, check: "cat made.txt" }];
    const batch = await runOnQueue(server.url, { tasks, repeats: 3 }, places);
    const state = await batch.result;
    expect(batch.problem).toBeUndefined();
    for (const { status, result, cell } of state.cells.values()) {
      expect([status, result?.verdict, result?.attempts]).toEqual(["done", "passed", 1]);
      const recording = recordingPaths(places.sessionsDirectory, result?.runId ?? "");
      expect(readFileSync(recording.ndjson, "utf8")).toContain("hello");
      for (const path of [recording.meta, recording.raw, recording.events])
        expect(existsSync(path)).toBe(true);
      const files = join(batch.directory, "cells", cell.id);
      expect(readFileSync(join(files, "changes.patch"), "utf8")).toContain("made.txt");
      expect(readFileSync(join(files, "check.log"), "utf8")).toContain("hello");
      expect(result?.worker).toBeDefined();
    }
    expect(leftRuns(places)).toEqual([]);
    expect(await leftKeys(server.url)).toEqual([]);
  });

  it("counts a worker that was killed as a retry, and gives its cell to another one", async () => {
    const first = worker({ name: "first" });
    const tasks = [{ id: "task", prompt: hangsOnce(places) }];
    const batch = await runOnQueue(server.url, { tasks }, places);
    await untilStarted(batch);
    await until(() => existsSync(join(places.workDirectory, "once")));
    await first.kill("SIGKILL");
    worker({ name: "second" });
    const [cell] = (await batch.result).cells.values();
    expect(cell?.result).toMatchObject({ verdict: "passed", attempts: 2, worker: "second" });
    expect(cell?.result?.retries[0]?.failure.message).toContain("the worker first died");
    expect(ledgerOf(batch.directory).map(({ type }) => type)).toEqual([
      "batch",
      "started",
      "retrying",
      "started",
      "done",
      "ended",
    ]);
    expect(leftRuns(places).filter((path) => path.includes(String(first.child.pid)))).toEqual([]);
  });

  it("finds what Redis has lost, also after the clock was set back", async () => {
    const batch = await runOnQueue(server.url, {}, places);
    const redis = server.client();
    await vi.waitFor(async () => expect(await redis.keys("harness:queue:*:wait")).toHaveLength(1), 10_000);
    const { now } = Date;
    const clock = vi.spyOn(Date, "now").mockImplementation(() => now() - 3_600_000);
    try {
      await redis.flushall();
      worker();
      const [cell] = (await batch.result).cells.values();
      expect(cell?.result?.verdict).toBe("passed");
    } finally {
      clock.mockRestore();
    }
  });

  it("a worker ends soon after SIGTERM although the server is gone, with and without a run under way", async () => {
    const idle = worker({ name: "idle", agentNames: ["other"] });
    const busy = worker({ name: "busy" });
    await idle.printed(/^ready/);
    const batch = await runOnQueue(server.url, { tasks: [{ id: "task", prompt: hangs }] }, places);
    await busy.printed(/^started/);
    await server.kill();
    const since = Date.now();
    await Promise.all([idle.kill("SIGTERM"), busy.kill("SIGTERM")]);
    expect(Date.now() - since).toBeLessThan(12_000);
    for (const { lines, child } of [idle, busy]) {
      expect(lines).toContain("stopped");
      expect(child.exitCode).toBe(0);
    }
    batch.cancel();
    batch.cancel();
    await batch.result;
    expect(leftRuns(places)).toEqual([]);
  });

  it("a cell whose worker always dies becomes an error after the retries of the plan", async () => {
    const batch = await runOnQueue(
      server.url,
      { tasks: [{ id: "task", prompt: hangs }], retries: 1 },
      places,
    );
    for (const name of ["one", "two"]) {
      const doomed = worker({ name });
      await doomed.printed(/^started/);
      await until(() => ledgerOf(batch.directory).some((line) => "worker" in line && line.worker === name));
      await doomed.kill("SIGKILL");
    }
    worker();
    const [cell] = (await batch.result).cells.values();
    expect(cell?.result).toMatchObject({ verdict: "error", attempts: 2 });
  });

  it("a worker that gets SIGTERM finishes what ends in time", async () => {
    const program = worker({ drainMs: 20_000 });
    const tasks = [{ id: "task", prompt: `sleep 1; ${succeeds}` }];
    const batch = await runOnQueue(server.url, { tasks }, places);
    await program.printed(/^started/);
    program.child.kill("SIGTERM");
    await program.printed(/^stopped/);
    const [cell] = (await batch.result).cells.values();
    expect(cell?.result).toMatchObject({ verdict: "passed", attempts: 1 });
    expect(readdirSync(places.workDirectory)).toEqual([]);
  });

  it("a worker that gets SIGTERM returns what does not end in time, and the attempt does not count", async () => {
    const program = worker({ drainMs: 100, name: "first" });
    const batch = await runOnQueue(
      server.url,
      { tasks: [{ id: "task", prompt: hangsOnce(places) }] },
      places,
    );
    await untilStarted(batch);
    await until(() => existsSync(join(places.workDirectory, "once")));
    program.child.kill("SIGTERM");
    await program.printed(/^stopped/);
    worker({ name: "second" });
    const [cell] = (await batch.result).cells.values();
    expect(cell?.result).toMatchObject({ verdict: "passed", attempts: 1, retries: [], worker: "second" });
  });

  it("a worker that was stopped for too long loses its cell, and its result does not count", async () => {
    const first = worker({ name: "first", lockMs: 1000 });
    const { prompt, release } = waitsOnce(places);
    const batch = await runOnQueue(server.url, { tasks: [{ id: "task", prompt }] }, places);
    await untilStarted(batch);
    first.child.kill("SIGSTOP");
    release();
    worker({ name: "second", lockMs: 1000 });
    const state = await batch.result;
    first.child.kill("SIGCONT");
    await first.printed(/^ended/);
    const [cell] = state.cells.values();
    expect(cell?.result).toMatchObject({ verdict: "passed", attempts: 2, worker: "second" });
    expect(ledgerOf(batch.directory).filter(({ type }) => type === "done")).toHaveLength(1);
    expect(await leftKeys(server.url)).toEqual([]);
  });

  it("tries again after a temporary failure", async () => {
    worker();
    const fails = `echo '{"type":"fail","kind":"stalled"}'; exit 1`;
    const tasks = [
      { id: "task", prompt: `if mkdir ${places.workDirectory}/once; then ${fails}; fi; ${succeeds}` },
    ];
    const batch = await runOnQueue(server.url, { tasks }, places);
    const [cell] = (await batch.result).cells.values();
    expect(cell?.result).toMatchObject({ verdict: "passed", attempts: 2 });
    expect(cell?.result?.retries).toMatchObject([{ failure: { kind: "stalled" } }]);
  });

  it("a rate limit whose end is known holds back all cells of the agent", async () => {
    await worker({ concurrency: 1 }).printed(/^ready/);
    const retryAt = new Date(Date.now() + 5000).toISOString();
    const fails = `echo '{"type":"fail","kind":"rate_limit","retryAt":"${retryAt}"}'; exit 1`;
    const tasks = [
      { id: "task", prompt: `if mkdir ${places.workDirectory}/once; then ${fails}; fi; ${succeeds}` },
    ];
    const batch = await runOnQueue(server.url, { tasks, repeats: 3 }, places);
    await batch.result;
    const times = ledgerOf(batch.directory).flatMap((line) => (line.type === "started" ? [line.at] : []));
    expect(times).toHaveLength(4);
    for (const time of times.slice(1)) expect(time >= retryAt).toBe(true);
  });

  it("waits for a server that is away, says so, and goes on", async () => {
    worker();
    const { prompt, release } = waitsOnce(places);
    const batch = await runOnQueue(server.url, { tasks: [{ id: "task", prompt }] }, places);
    await untilStarted(batch);
    await server.kill();
    await until(() => batch.notices.some((sentence) => sentence.includes("does not answer")));
    await server.start();
    release();
    const [cell] = (await batch.result).cells.values();
    // The server came back empty, so the worker has lost its cell, once.
    expect(cell?.result).toMatchObject({ verdict: "passed", attempts: 2 });
    expect(batch.notices.some((sentence) => sentence.endsWith("is back."))).toBe(true);
    expect(batch.notices.join(" ")).toContain(`redis://127.0.0.1:${server.port}`);
  });

  it("keeps within a budget, with several workers", async () => {
    worker();
    worker();
    const tasks = [{ id: "task", prompt: `echo '{"type":"done","cost":1}'` }];
    const batch = await runOnQueue(server.url, { tasks, repeats: 9, budgetUsd: 3 }, places);
    const state = await batch.result;
    expect(state.costUsd).toBe(3);
    expect(state.ended?.reason).toBe("budget");
  });

  it("lists its workers, with what they do", async () => {
    await worker({ name: "one" }).printed(/^ready/);
    await worker({ name: "old", version: "0.0.9", concurrency: 7 }).printed(/^ready/);
    expect(await listWorkers(server.url)).toMatchObject([
      { name: "old", version: "0.0.9", concurrency: 7, running: 0, isDraining: false },
      { name: "one", version, agents: { fake: null } },
    ]);
  });

  it("ships a git repository and a directory to the workers, and removes them there when the batch is over", async () => {
    const program = worker({ drainMs: 100 });
    const repository = join(places.batchesDirectory, "../repository");
    const directory = join(places.batchesDirectory, "../directory");
    for (const path of [repository, directory]) {
      mkdirSync(path);
      writeFileSync(join(path, "file.txt"), `content of ${path}`);
    }
    const git = (...args: string[]) =>
      execFileSync("git", ["-C", repository, "-c", "user.name=x", "-c", "user.email=x@x", ...args]);
    git("init", "-q");
    git("add", ".");
    git("commit", "-qm", "first");
    const prompt = `cat file.txt; ${succeeds}`;
    const tasks = [
      { id: "git", prompt, workspace: { git: repository }, check: `grep repository file.txt` },
      { id: "copy", prompt, workspace: { copy: directory }, check: `grep directory file.txt` },
    ];
    const batch = await runOnQueue(server.url, { tasks, repeats: 2 }, places);
    const state = await batch.result;
    expect([...state.cells.values()].map(({ result }) => result?.verdict)).toEqual(Array(4).fill("passed"));
    const [own = ""] = readdirSync(places.workDirectory);
    const sources = join(places.workDirectory, own, "sources");
    await until(() => readdirSync(sources).length === 0);
    expect(await leftKeys(server.url)).toEqual([]);
    program.child.kill("SIGTERM");
    await program.ended;
  });

  it("never runs more cells of an agent at once than its limit, on all workers together", async () => {
    worker();
    worker();
    const log = join(places.workDirectory, "log");
    const prompt = `echo + >> ${log}; sleep 0.1; echo - >> ${log}; ${succeeds}`;
    const limits = { fake: 1 };
    const batch = await runOnQueue(
      server.url,
      { tasks: [{ id: "task", prompt }], repeats: 6, limits },
      places,
    );
    await batch.result;
    expect(readFileSync(log, "utf8")).toBe("+\n-\n".repeat(6));
  });

  it("a worker carries out no more cells at once than it has places, whatever the number of its agents", async () => {
    worker({ concurrency: 1, agentNames: ["fake", "other"] });
    const log = join(places.workDirectory, "log");
    const prompt = `echo + >> ${log}; sleep 0.1; echo - >> ${log}; ${succeeds}`;
    const arms = [{ agent: "fake" }, { agent: "other" }];
    const batch = await runOnQueue(server.url, { tasks: [{ id: "task", prompt }], arms, repeats: 4 }, places);
    const state = await batch.result;
    expect([...state.cells.values()].map(({ result }) => [result?.verdict, result?.attempts])).toEqual(
      Array.from({ length: 8 }, () => ["passed", 1]),
    );
    expect(readFileSync(log, "utf8")).toBe("+\n-\n".repeat(8));
  });

  it("cancelling stops what runs on every worker, and takes back what waits", async () => {
    const workers = [worker(), worker()];
    const batch = await runOnQueue(
      server.url,
      { tasks: [{ id: "task", prompt: hangs }], repeats: 9 },
      places,
    );
    await Promise.all(workers.map((program) => program.printed(/^started/)));
    batch.cancel();
    const state = await batch.result;
    await Promise.all(workers.map((program) => program.printed(/^ended/)));
    expect([...new Set([...state.cells.values()].map(({ status }) => status))]).toEqual(["waiting"]);
    expect(ledgerOf(batch.directory).at(-1)).toMatchObject({ type: "ended", reason: "cancelled" });
    // BullMQ's counter of the last second expires by itself.
    await vi.waitFor(async () => {
      const left = await leftKeys(server.url);
      expect(left.filter((key) => !key.startsWith("harness:cancelled"))).toEqual([]);
    }, 5000);
  });

  it("a batch that was killed goes on with what runs and what has ended meanwhile", async () => {
    const program = worker({ concurrency: 2 });
    const release = join(places.workDirectory, "release");
    const waits = `while [ ! -e ${release} ]; do sleep 0.05; done; ${succeeds}`;
    const tasks = [
      { id: "quick", prompt: `sleep 1; ${succeeds}` },
      { id: "slow", prompt: waits },
    ];
    const { batchesDirectory, sessionsDirectory } = places;
    const options = {
      url: server.url,
      version,
      plan: planOf({ tasks }),
      batchesDirectory,
      sessionsDirectory,
    };
    const killed = startProgram("batch", options);
    programs.push(killed);
    const directory = (await killed.printed(/^directory/)).slice("directory ".length);
    await until(() => ledgerOf(directory).filter(({ type }) => type === "started").length === 2);
    await killed.kill("SIGKILL");
    await program.printed(/^ended/);
    writeFileSync(release, "");
    const resumed = startProgram("batch", { ...options, resume: directory });
    programs.push(resumed);
    await resumed.ended;
    const lines = ledgerOf(directory);
    const started = lines.flatMap((line) => (line.type === "started" ? [line.runId] : []));
    const done = lines.flatMap((line) => (line.type === "done" ? [line] : []));
    expect(done.map(({ taskId, verdict, attempts }) => [taskId, verdict, attempts]).sort()).toEqual([
      ["quick", "passed", 1],
      ["slow", "passed", 1],
    ]);
    expect(done.map(({ runId }) => runId).sort()).toEqual([...new Set(started)].sort());
    expect(await leftKeys(server.url)).toEqual([]);
  });

  it("a worker of another version takes no cells, and both sides say so", async () => {
    const other = worker({ version: "0.0.9", name: "old" });
    await other.printed(/^ready/);
    const batch = await runOnQueue(server.url, {}, places);
    const later = worker({ version: "0.0.9" });
    await later.printed(/^notice the batch "test" was started by harness/);
    worker();
    await batch.result;
    expect(batch.notices.join(" ")).toContain("the worker old is harness 0.0.9");
    expect([...other.lines, ...later.lines].filter((line) => line.startsWith("started"))).toEqual([]);
  });

  it("a worker without the agent takes none of its cells, and both sides say so", async () => {
    const other = worker({ agentNames: ["other"] });
    await other.printed(/^ready/);
    const batch = await runOnQueue(server.url, {}, places);
    await worker({ agentNames: ["other"] }).printed(/^notice the batch "test" has cells for fake/);
    expect(batch.notices.join(" ")).toContain("the cells of fake wait for a worker that has it");
    worker();
    const [cell] = (await batch.result).cells.values();
    expect(cell?.result?.verdict).toBe("passed");
  });

  it("a recording that arrives damaged is not counted: the cell is carried out again", async () => {
    const s3 = await startFakeS3();
    worker({}, s3.env);
    s3.damaged = 1;
    vi.stubEnv("AWS_ACCESS_KEY_ID", s3.env["AWS_ACCESS_KEY_ID"]);
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", s3.env["AWS_SECRET_ACCESS_KEY"]);
    const batch = await runOnQueue(server.url, {}, places, { shelf: s3.address });
    const [cell] = (await batch.result).cells.values();
    expect(cell?.result).toMatchObject({ verdict: "passed", attempts: 2 });
    expect(cell?.result?.retries[0]?.failure.message).toContain("its files did not arrive");
    expect(ledgerOf(batch.directory).filter(({ type }) => type === "done")).toHaveLength(1);
    expect([...s3.objects.keys()].filter((path) => path.includes(cell?.result?.runId ?? ""))).toEqual([]);
    s3.close();
  });
});

/** Hangs the first time, and succeeds then. */
function hangsOnce({ workDirectory }: TestPlaces): string {
  return `if mkdir ${workDirectory}/once 2>/dev/null; then ${hangs}; fi; ${succeeds}`;
}

/** Waits for its release the first time, and succeeds. */
function waitsOnce({ workDirectory }: TestPlaces): { prompt: string; release(): void } {
  const [once, gate] = [join(workDirectory, "once"), join(workDirectory, "gate")];
  return {
    prompt: `if mkdir ${once} 2>/dev/null; then until [ -e ${gate} ]; do sleep 0.05; done; fi; ${succeeds}`,
    release: () => writeFileSync(gate, ""),
  };
}

async function untilStarted(batch: Batch): Promise<void> {
  await until(() => ledgerOf(batch.directory).some(({ type }) => type === "started"));
}
