import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import type { Batch } from "../../../src/batch/batch.js";
import type { LedgerLine } from "../../../src/batch/model/ledger-line.js";
import type { BatchPlan } from "../../../src/batch/model/plan.js";
import { createQueueExecutor, type QueueExecutorOptions } from "../../../src/batch/queue/queue-executor.js";
import { runBatch } from "../../../src/batch/run-batch.js";
import { resolveFake } from "../programs/fake-agent.js";
import { type StartedProgram, startProgram } from "./programs.js";

/** Where everything of one test is. */
export interface TestPlaces {
  batchesDirectory: string;
  sessionsDirectory: string;
  workDirectory: string;
  remove(): void;
}

export function makePlaces(): TestPlaces {
  const directory = mkdtempSync(join(tmpdir(), "harness-queue-"));
  mkdirSync(join(directory, "work"));
  return {
    batchesDirectory: join(directory, "batches"),
    sessionsDirectory: join(directory, "sessions"),
    workDirectory: join(directory, "work"),
    remove: () => rmSync(directory, { recursive: true, force: true, maxRetries: 3 }),
  };
}

/** The version that workers and batches of these tests have in common: that of the package. */
export const version: string = JSON.parse(
  readFileSync(new URL("../../../package.json", import.meta.url), "utf8"),
).version;

export function startTestWorker(
  url: string,
  places: TestPlaces,
  options: object = {},
  env = {},
): StartedProgram {
  const { workDirectory } = places;
  return startProgram(
    "worker",
    { url, version, concurrency: 2, lockMs: 2000, workDirectory, ...options },
    env,
  );
}

/** A batch in this process, on the queue. */
export async function runOnQueue(
  url: string,
  plan: Partial<BatchPlan>,
  places: TestPlaces,
  options: Partial<QueueExecutorOptions> = {},
): Promise<Batch & { notices: string[] }> {
  const { batchesDirectory, sessionsDirectory } = places;
  const notices: string[] = [];
  const batch = await runBatch(planOf(plan), {
    batchesDirectory,
    sessionsDirectory,
    resolveArm: resolveFake,
    executor: (head) =>
      createQueueExecutor({
        ...head,
        url,
        version,
        sessionsDirectory,
        reconcileMs: 500,
        onNotice: (sentence) => notices.push(sentence),
        ...options,
      }),
  });
  return Object.assign(batch, { notices });
}

export function planOf(changes: Partial<BatchPlan>): BatchPlan {
  return {
    name: "test",
    tasks: [{ id: "task", prompt: succeeds }],
    arms: [{ agent: "fake" }],
    isolated: false,
    ...changes,
  };
}

export const succeeds = `echo '{"type":"say","text":"hello"}'; echo '{"type":"done","cost":0.01}'`;
/** Runs until it is stopped. */
export const hangs = `echo '{"type":"say","text":"begun"}'; exec sleep 600`;

export function ledgerOf(directory: string): LedgerLine[] {
  const text = readFileSync(join(directory, "batch.jsonl"), "utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

/** What is left of attempts in the directories of workers. */
export function leftRuns({ workDirectory }: TestPlaces): string[] {
  if (!existsSync(workDirectory)) return [];
  return readdirSync(workDirectory).flatMap((worker) => {
    const runs = join(workDirectory, worker, "runs");
    return existsSync(runs) ? readdirSync(runs).map((run) => join(runs, run)) : [];
  });
}

/** Keys that are left in Redis, apart from BullMQ's own figures and what expires within seconds, as its counter of a rate does. */
export async function leftKeys(url: string): Promise<string[]> {
  const redis = new Redis(url);
  const keys = (await redis.keys("*")).filter(
    (key) => !/:(meta|id|events|marker|stalled-check|worker:.*|workers)$|^harness:(worker|events)/.test(key),
  );
  const lives = await Promise.all(keys.map((key) => redis.pttl(key)));
  redis.disconnect();
  return keys.filter((_, index) => !isOver(lives[index] ?? 0));
}

/** What Redis says of a key: -1 is forever, and -2 is a key that has gone meanwhile. */
function isOver(milliseconds: number): boolean {
  return milliseconds !== -1 && milliseconds <= 2000;
}

/** Looks until it is so. The test's own time limit ends it. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 20));
}
