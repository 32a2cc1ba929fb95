import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Batch } from "../../src/batch/batch.js";
import { recordingPaths } from "../../src/runs/recording/paths.js";
import {
  ledgerOf,
  leftKeys,
  leftRuns,
  makePlaces,
  runOnQueue,
  startTestWorker,
  until,
} from "./support/batches.js";
import { buildPrograms, removePrograms, type StartedProgram } from "./support/programs.js";
import { describeWithRedis, startRedis } from "./support/redis-server.js";

const cellCount = 500;
/** About 20 ms, and a line that says which run it was. */
const prompt = `echo "{\\"type\\":\\"say\\",\\"text\\":\\"ran in $PWD\\"}"; sleep 0.02; echo '{"type":"done","cost":0.01}'`;

describeWithRedis("500 cells on three workers", () => {
  beforeAll(buildPrograms);
  afterAll(removePrograms);

  it("each cell has exactly one result, though workers are killed, and the server too, and then it loses everything", async () => {
    const server = await startRedis({ isDurable: true });
    const places = makePlaces();
    const started: StartedProgram[] = [];
    const worker = () => {
      const program = startTestWorker(server.url, places, { concurrency: 3 });
      started.push(program);
      return program;
    };
    const workers = [worker(), worker(), worker()];
    const plan = { tasks: [{ id: "task", prompt }], repeats: cellCount, retries: 20 };
    const batch = await runOnQueue(server.url, plan, places);
    const replace = async (index: number) => {
      await workers[index]?.kill("SIGKILL");
      workers[index] = worker();
    };
    await doneCells(batch, 50);
    await replace(0);
    await doneCells(batch, 120);
    await server.kill();
    await server.start();
    await doneCells(batch, 200);
    await replace(1);
    await doneCells(batch, 280);
    await server.client().flushall();
    await doneCells(batch, 360);
    await Promise.all([replace(2), replace(0)]);
    const state = await batch.result;

    expect(batch.problem).toBeUndefined();
    const lines = ledgerOf(batch.directory);
    const done = lines.flatMap((line) => (line.type === "done" ? [line] : []));
    expect(done).toHaveLength(cellCount);
    expect(new Set(done.map(({ cellId }) => cellId)).size).toBe(cellCount);
    expect([...new Set(done.map(({ verdict }) => verdict))]).toEqual(["passed"]);
    expect(new Set(done.map(({ runId }) => runId)).size).toBe(cellCount);
    // What a run cost is counted once, too.
    expect(state.costUsd).toBeCloseTo(cellCount * 0.01, 6);
    for (const { runId = "" } of done) {
      const recording = recordingPaths(places.sessionsDirectory, runId);
      const raw = readFileSync(recording.raw, "utf8");
      expect(raw).toContain(`/${runId}`);
      expect(JSON.parse(raw.trimEnd().split("\n").at(-1) ?? "")).toMatchObject({ stream: "exit" });
      for (const path of [recording.ndjson, recording.events])
        expect(readFileSync(path, "utf8")).toContain(`/${runId}`);
      expect(JSON.parse(readFileSync(recording.meta, "utf8"))).toMatchObject({
        runId,
        outcome: { isSuccess: true },
      });
    }
    for (const program of workers) program.child.kill("SIGTERM");
    await Promise.all(workers.map((program) => program.printed(/^stopped/)));
    expect(leftRuns(places)).toEqual([]);
    // A worker that lost its cell may have shipped something. It expires.
    expect((await leftKeys(server.url)).filter((key) => !key.startsWith("harness:shelf:"))).toEqual([]);
    await Promise.all(started.map((program) => program.kill()));
    await server.close();
    places.remove();
  }, 300_000);
});

async function doneCells(batch: Batch, count: number): Promise<void> {
  await until(
    () => [...batch.state.cells.values()].filter(({ result }) => result !== undefined).length >= count,
  );
}
