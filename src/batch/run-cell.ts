import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../errors.js";
import type { Failure } from "../events/failure.js";
import type { Step } from "../events/step.js";
import { run } from "../live/run.js";
import { makeDirectories } from "../runs/files/make-directories.js";
import type { RunResult } from "../runs/task.js";
import { toVisibleLine } from "../text/cut.js";
import { type AttemptFigures, createAttemptFigures } from "./attempt-figures.js";
import { authenticationOf } from "./authentication.js";
import type { ResolvedArm } from "./batch.js";
import type { Cell, CellResult, Retry, ShellResult } from "./model/cell.js";
import type { CheckedPlan } from "./model/plan.js";
import type { Source } from "./model/source.js";
import type { BatchPlaces } from "./places.js";
import { taskOf } from "./resolve-arms.js";
import { blamelessKinds, retryDelay } from "./retries.js";
import type { Tidying } from "./tidying.js";
import { type OpenedWorkspace, openWorkspace } from "./workspace/open-workspace.js";
import { runShellStep } from "./workspace/shell-step.js";

/** What an attempt needs besides its cell. */
export interface AttemptContext {
  batchId: string;
  source: Source;
  places: BatchPlaces;
  plan: CheckedPlan;
  resolved: ResolvedArm;
  /** From 1. */
  attempt: number;
  runId: string;
  /** Why the earlier attempts did not count. */
  retries: readonly Retry[];
  sessionsDirectory?: string | undefined;
  /** Where the workspace is made. Default: `places.work`. */
  workDirectory?: string | undefined;
  /** The workspace stays, in a directory beside the one of the others. */
  keep?: boolean | undefined;
  /** Cancels the attempt, in whatever phase it is. */
  signal?: AbortSignal | undefined;
  /** After `signal`: kills the agent at once. */
  killSignal?: AbortSignal | undefined;
  /** Takes over the removal of the workspace. Without it, the attempt ends when the workspace is removed. */
  tidying?: Tidying | undefined;
  worker?: string | undefined;
  onEvents?(steps: readonly Step[]): void;
}

export type AttemptEnd =
  | { kind: "done"; result: CellResult }
  /** It failed temporarily, and there are attempts left. */
  | { kind: "retry"; runId: string; failure: Failure; retryAt?: string; costUsd?: number };

/** The limit of a setup or a check that has none of its own. */
const defaultStepMs = 10 * 60_000;

/**
 * Makes one attempt at a cell: workspace, setup, agent, changes, check. Whatever happens, the workspace is removed, by `tidying` if
 * there is one. Rejects only if `signal` was aborted: nothing can be said about the cell then.
 */
export async function runAttempt(cell: Cell, context: AttemptContext): Promise<AttemptEnd> {
  const { signal } = context;
  const known = startOf(cell, context);
  let workspace: OpenedWorkspace | undefined;
  try {
    signal?.throwIfAborted();
    const files = emptyDirectory(context.places.cell(cell.id));
    workspace = await openWorkspace(context.source, placeOf(context));
    return await inWorkspace(cell, context, { workspace, files, known });
  } catch (error) {
    signal?.throwIfAborted();
    const what = workspace === undefined ? "the workspace cannot be made" : "the attempt broke off";
    return done({ ...known, verdict: "error", reason: oneLine(`${what}: ${messageOf(error)}`) });
  } finally {
    if (workspace !== undefined && !context.keep) await remove(workspace, context);
  }
}

/** What cannot be removed now is removed when the batch ends or is resumed. */
function remove({ close }: OpenedWorkspace, { tidying }: AttemptContext): Promise<void> {
  return tidying === undefined ? close().catch(() => {}) : tidying.add(close);
}

type Known = Omit<CellResult, "verdict" | "endedAt">;

function startOf({ id, task, arm, repetition }: Cell, context: AttemptContext): Known {
  const { attempt, retries, runId, worker } = context;
  return {
    cellId: id,
    taskId: task.id,
    armId: arm.id,
    repetition,
    runId,
    startedAt: new Date().toISOString(),
    attempts: attempt,
    retries,
    throttled: 0,
    commands: { run: 0, failed: 0 },
    ...(worker !== undefined && { worker }),
  };
}

function done(result: Omit<CellResult, "endedAt">): AttemptEnd {
  return { kind: "done", result: { ...result, endedAt: new Date().toISOString() } };
}

/** The files of an earlier attempt do not count. */
function emptyDirectory(directory: string): string {
  rmSync(directory, { recursive: true, force: true });
  makeDirectories(directory);
  return directory;
}

/** The name of the run cannot be guessed, and only this user can look into the directory above. */
function placeOf({ runId, places, workDirectory = places.work, keep }: AttemptContext) {
  const parent = keep ? `${workDirectory}-kept` : workDirectory;
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  return { directory: join(parent, runId), snapshots: places.sources };
}

interface Place {
  workspace: OpenedWorkspace;
  files: string;
  known: Known;
}

async function inWorkspace(cell: Cell, context: AttemptContext, place: Place): Promise<AttemptEnd> {
  const { task } = cell;
  const { workspace, files, known } = place;
  const setup = await step(task.setup, task.setupTimeoutMs, join(files, "setup.log"), context, workspace);
  if (setup !== undefined && !setup.isSuccess)
    return done({ ...known, setup, verdict: "error", reason: `the setup ${howItFailed(setup)}` });
  // What the setup did is not the agent's.
  if (setup !== undefined) await workspace.baseline();
  context.signal?.throwIfAborted();
  const figures = createAttemptFigures();
  const ran = await runAgent(cell, context, workspace, figures);
  const { failure, costUsd } = ran;
  if (failure !== undefined && isRetried(failure, context))
    return { kind: "retry", ...failureOf(ran, failure), ...(costUsd !== undefined && { costUsd }) };
  // If something breaks from here on, this is still known.
  Object.assign(known, figures.read(), resultOf(ran), setup && { setup }, {
    authentication: authenticationOf(context.resolved.agent, { ...process.env, ...envOf(cell, context) }),
  });
  // Before the check, which may leave files of its own.
  const changes = await workspace.changes(join(files, "changes.patch"));
  context.signal?.throwIfAborted();
  const check = await step(task.check, task.checkTimeoutMs, join(files, "check.log"), context, workspace);
  return done({ ...known, ...verdictOf(ran, check), ...(check !== undefined && { check }), changes });
}

function envOf({ arm }: Cell, { resolved }: AttemptContext): Readonly<Record<string, string>> | undefined {
  return resolved.env ?? arm.env;
}

function isRetried(failure: Failure, { attempt, plan, retries }: AttemptContext): boolean {
  return retries.length < plan.retries && retryDelay(failure, attempt, new Date()) !== undefined;
}

function failureOf({ runId }: RunResult, failure: Failure) {
  const { retryAt } = failure;
  return { runId, failure, ...(retryAt !== undefined && { retryAt }) };
}

/** A setup or a check. Undefined if the task has none. */
async function step(
  command: string | undefined,
  timeoutMs: number | undefined,
  logPath: string,
  { runId, signal }: AttemptContext,
  { directory, env }: OpenedWorkspace,
): Promise<ShellResult | undefined> {
  if (command === undefined) return undefined;
  const limit = timeoutMs ?? defaultStepMs;
  const result = await runShellStep({
    command,
    cwd: directory,
    runId,
    timeoutMs: limit,
    logPath,
    env,
    signal,
  });
  signal?.throwIfAborted();
  return result;
}

async function runAgent(
  cell: Cell,
  context: AttemptContext,
  { directory, env }: OpenedWorkspace,
  figures: AttemptFigures,
): Promise<RunResult> {
  const { plan, resolved, runId, batchId, sessionsDirectory, signal, killSignal } = context;
  const task = taskOf(plan, cell.task, cell.arm, resolved);
  const underWay = run({
    ...task,
    env: { ...env, ...task.env },
    cwd: directory,
    runId,
    batch: { id: batchId, cell: cell.id },
    // The workspace is compared as a whole, setup and check apart.
    changes: false,
    sessionsDirectory,
    signal,
  });
  const kill = (): void => underWay.cancel();
  killSignal?.addEventListener("abort", kill, { once: true });
  try {
    for await (const steps of underWay.batches()) {
      for (const { events } of steps) for (const event of events) figures.add(event);
      context.onEvents?.(steps);
    }
    const result = await underWay.result;
    signal?.throwIfAborted();
    return result;
  } finally {
    killSignal?.removeEventListener("abort", kill);
  }
}

function resultOf({ isSuccess, reason, failure, output, ...ran }: RunResult): Partial<CellResult> {
  const { costUsd, costSource, durationMs, usage: scoped } = ran;
  const { scope: _, ...usage } = scoped ?? { scope: "run" };
  return {
    outcome: { isSuccess, reason, ...(failure !== undefined && { failure }) },
    ...(output !== undefined && { output }),
    ...(costUsd !== undefined && { costUsd }),
    ...(costSource !== undefined && { costSource }),
    ...(scoped !== undefined && { usage }),
    ...(durationMs !== undefined && { durationMs }),
  };
}

/** A failure that says nothing about the agent is an error. Otherwise the check decides, or the agent's own success if there is none. */
function verdictOf(
  { isSuccess, failure, reason }: RunResult,
  check: ShellResult | undefined,
): Pick<CellResult, "verdict" | "reason"> {
  if (failure !== undefined && blamelessKinds.has(failure.kind))
    return { verdict: "error", reason: oneLine(failure.message) };
  if (check !== undefined)
    return check.isSuccess
      ? { verdict: "passed" }
      : { verdict: "failed", reason: `the check ${howItFailed(check)}` };
  return isSuccess
    ? { verdict: "passed" }
    : { verdict: "failed", reason: oneLine(failure?.message ?? `the agent's run ended as ${reason}`) };
}

function howItFailed({ exitCode, signal, isTimedOut }: ShellResult): string {
  if (isTimedOut) return "took too long and was stopped";
  if (signal !== undefined) return `was ended by ${signal}`;
  return exitCode === null ? "could not be started" : `failed with exit code ${exitCode}`;
}

function oneLine(text: string): string {
  return toVisibleLine(text, 240);
}
