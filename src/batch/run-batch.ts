import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { HarnessError } from "../errors.js";
import { createRunId } from "../events/run-id.js";
import { makeDirectories } from "../runs/files/make-directories.js";
import type { Batch, BatchOptions } from "./batch.js";
import { carryOut, type Earlier } from "./batch-under-way.js";
import { createBudget } from "./budget.js";
import { checkPlan, onlyOf } from "./check-plan.js";
import { cleanUp, makeWorkDirectory, openRuns } from "./clean-up.js";
import type { Executor } from "./executor.js";
import { createLocalExecutor } from "./local-executor.js";
import { takeLock } from "./lock.js";
import { makeCells } from "./make-cells.js";
import { type BatchStateReader, createBatchState } from "./model/batch-state.js";
import type { Cell } from "./model/cell.js";
import type { BatchLine, LedgerLine } from "./model/ledger-line.js";
import type { BatchPlan, CheckedPlan } from "./model/plan.js";
import type { Source } from "./model/source.js";
import { type BatchPlaces, batchPlaces, defaultBatchesDirectory } from "./places.js";
import { type LedgerContent, readLedger } from "./read-ledger.js";
import { type ResolvedArms, resolveArms } from "./resolve-arms.js";
import { runAttempt } from "./run-cell.js";
import { createTidying } from "./tidying.js";
import { resolveSources } from "./workspace/sources.js";

/**
 * Runs a batch: every arm does every task, a number of times, each in a clean place. Rejects with a `HarnessError` before anything is
 * started if the plan is invalid. Everything later is in the state of the batch.
 *
 * @example
 * const batch = await runBatch({ name: "cart", tasks, arms: [{ agent: "claude" }, { agent: "codex" }] });
 * for await (const line of batch) if (line.type === "done") console.log(line.armId, line.verdict);
 */
export async function runBatch(given: BatchPlan, options: BatchOptions = {}): Promise<Batch> {
  const plan = onlyOf(checkPlan(given), options.only);
  const batchId = createRunId();
  const places = batchPlaces(join(batchesDirectoryOf(options), batchId));
  const ownWork = ownWorkOf(places, batchId, options);
  const work = ownWork ?? places.work;
  const arms = resolveArms(plan, work, options.resolveArm);
  makeDirectories(places.directory);
  const made = [places.directory];
  try {
    const lock = takeLock(places.lock);
    const { sources, warnings } = await resolveSources(plan, places);
    makeWorkDirectory(work);
    made.push(work);
    const head = headOf({ batchId, plan, sources, arms, work: ownWork });
    const cells = makeCells(head);
    const reader = createBatchState(head, cells);
    const opened = { places, work, arms, reader, warnings: [...warnings], lock };
    return await begin({ ...opened, bytes: 0, first: head, lines: [] }, options);
  } catch (error) {
    for (const path of made) rmSync(path, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Goes on with a batch that was killed, was cancelled or ran out of its budget: runs exactly what is missing. Cells that were skipped and cells with
 * the verdict `error` are run again. Rejects with a `HarnessError` if an arm is not what it was, or another process runs the batch.
 */
export async function resumeBatch(directory: string, options: BatchOptions = {}): Promise<Batch> {
  const places = batchPlaces(resolve(directory));
  readLedger(places.ledger);
  const lock = takeLock(places.lock);
  try {
    // Read with the lock: nobody appends to it now.
    const content = readLedger(places.ledger);
    const head = { ...content.head, plan: checkPlan({ ...content.head.plan, ...options.plan }) };
    const work = head.work ?? places.work;
    const arms = resolveArms(head.plan, work, options.resolveArm);
    refuseChanged(head, arms);
    const left = await cleanUp(openRuns(content.lines), work);
    makeWorkDirectory(work);
    const reader = createBatchState(head, makeCells(head));
    for (const line of content.lines) reader.apply(line);
    const first: LedgerLine = { type: "resumed", at: new Date().toISOString(), harness: ownVersion() };
    const opened = { places, work, arms, reader, warnings: [...content.problems, ...left], lock };
    return await begin({ ...opened, bytes: content.bytes, first, lines: content.lines }, options);
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** What a batch would do. Nothing is started, and nothing stays on the disk. */
export interface PlannedBatch {
  plan: CheckedPlan;
  sources: Readonly<Record<string, Source>>;
  cells: Cell[];
  warnings: string[];
}

/** Checks a plan as `runBatch` does, and lists its cells. Rejects as `runBatch` does. */
export async function planBatch(given: BatchPlan, options: BatchOptions = {}): Promise<PlannedBatch> {
  const plan = onlyOf(checkPlan(given), options.only);
  const batchId = createRunId();
  const places = batchPlaces(join(batchesDirectoryOf(options), batchId));
  const arms = resolveArms(plan, ownWorkOf(places, batchId, options) ?? places.work, options.resolveArm);
  const directory = mkdtempSync(join(tmpdir(), "harness-plan-"));
  try {
    const { sources, warnings } = await resolveSources(plan, batchPlaces(directory));
    return { plan, sources, cells: makeCells({ plan, sources, arms: arms.hashes }), warnings };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/**
 * Where the workspaces are, if not in the batch's own directory. Many agents read files in all directories above their workspace, so
 * those in the user's home (`~/.claude/CLAUDE.md`, `~/.factory/settings.json`) would keep them from being isolated.
 */
function ownWorkOf(
  { directory }: BatchPlaces,
  batchId: string,
  { workDirectory }: BatchOptions,
): string | undefined {
  const home = process.env["HOME"] || homedir();
  const isBelowHome = !relative(home, directory).startsWith("..");
  const base = workDirectory ?? (isBelowHome ? tmpdir() : undefined);
  return base === undefined ? undefined : join(resolve(base), `harness-${batchId}`);
}

function batchesDirectoryOf({ batchesDirectory }: BatchOptions): string {
  return batchesDirectory === undefined ? defaultBatchesDirectory() : resolve(batchesDirectory);
}

interface HeadParts {
  batchId: string;
  plan: CheckedPlan;
  sources: Readonly<Record<string, Source>>;
  arms: ResolvedArms;
  work: string | undefined;
}

function headOf({ batchId, plan, sources, arms, work }: HeadParts): BatchLine {
  const cells = plan.tasks.length * plan.arms.length * plan.repeats;
  return {
    type: "batch",
    at: new Date().toISOString(),
    version: 1,
    batchId,
    harness: ownVersion(),
    plan,
    sources,
    arms: arms.hashes,
    cells,
    ...(work !== undefined && { work }),
  };
}

/** Results of different arms under one name could not be compared. */
function refuseChanged({ arms: before }: BatchLine, { hashes }: ResolvedArms): void {
  const changed = Object.keys(before).filter((id) => before[id] !== hashes[id]);
  if (changed.length === 0) return;
  const message = `this batch cannot go on: ${changed.join(", ")} ${changed.length === 1 ? "is" : "are"} not what it was when the batch began (the agent, its options, your configuration or the content of \`home\`); undo the change, or begin a new batch`;
  throw new HarnessError("batch_changed", message);
}

interface Opened {
  places: BatchPlaces;
  work: string;
  arms: ResolvedArms;
  reader: BatchStateReader;
  warnings: string[];
  lock: { release(): void };
  bytes: number;
  first: LedgerLine;
  /** Of the ledger so far, without its head. */
  lines: LedgerContent["lines"];
}

async function begin(opened: Opened, options: BatchOptions): Promise<Batch> {
  const { reader, lines, work } = opened;
  const { head, cells } = reader.state;
  const missing = [...cells.values()].filter(
    ({ status, result }) => status !== "done" || result?.verdict === "error",
  );
  const budget = createBudget(head.plan.budgetUsd);
  const earlier = new Map<string, Earlier>();
  for (const line of lines) {
    if (line.type === "started") {
      const { retries = [] } = earlier.get(line.cellId) ?? {};
      earlier.set(line.cellId, { retries, attempts: line.attempt });
    } else if (line.type === "retrying") {
      const { attempts = 0, retries = [] } = earlier.get(line.cellId) ?? {};
      const { runId, failure, until } = line;
      earlier.set(line.cellId, { attempts, retries: [...retries, { runId, failure, until }] });
    }
    const cell = "cellId" in line ? cells.get(line.cellId)?.cell : undefined;
    if (cell !== undefined && (line.type === "done" || line.type === "retrying"))
      budget.spend(cell, line.costUsd);
  }
  return carryOut({
    ...opened,
    batchId: head.batchId,
    cells: missing.map(({ cell }) => cell),
    earlier,
    budget,
    executor: await executorOf(opened, options),
    signal: options.signal,
    async release() {
      try {
        await cleanUp([], work);
        rmSync(work, { recursive: true, force: true });
      } finally {
        opened.lock.release();
      }
    },
  });
}

async function executorOf(opened: Opened, options: BatchOptions): Promise<Executor> {
  const { executor } = options;
  if (executor === undefined) return localExecutor(opened, options);
  const { batchId, plan, sources } = opened.reader.state.head;
  return typeof executor === "function"
    ? executor({ batchId, plan, sources, places: opened.places })
    : executor;
}

function localExecutor({ places, work, arms, reader }: Opened, options: BatchOptions): Executor {
  const { plan, batchId, sources } = reader.state.head;
  const { sessionsDirectory, keep } = options;
  // At most twice as many workspaces are on the disk as cells run at once.
  const tidying = createTidying(plan.concurrency);
  const executor = createLocalExecutor({
    concurrency: plan.concurrency,
    limits: plan.limits,
    attempt(cell, attempt) {
      const resolved = arms.resolved.get(cell.arm.id);
      const source = sources[cell.task.id];
      if (resolved === undefined || source === undefined)
        return Promise.reject(new Error(`the cell ${cell.id} is not of this batch`));
      const known = { batchId, source, places, plan, resolved, sessionsDirectory, keep, tidying };
      return runAttempt(cell, { ...known, ...attempt, workDirectory: work });
    },
  });
  return { ...executor, run: (cells, host) => executor.run(cells, host).finally(tidying.finish) };
}

/** The package's version. This module is as deep in the package when it is compiled, and when it is bundled. */
function ownVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  return String(version);
}
