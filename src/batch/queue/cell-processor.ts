import type { Job } from "bullmq";
import { messageOf } from "../../errors.js";
import type { Failure } from "../../events/failure.js";
import { isRunId } from "../../events/run-id.js";
import { parseOwnJson } from "../../text/parse-json.js";
import type { ResolveArm } from "../batch.js";
import { agentOf } from "../check-plan.js";
import { createCellRunId } from "../local-executor.js";
import type { Cell } from "../model/cell.js";
import { limitDelay, retryDelay } from "../retries.js";
import { runAttempt } from "../run-cell.js";
import { type FilesPlace, removeShipped, shipFiles } from "./cell-files.js";
import type { BullMq, QueueConnection } from "./connection.js";
import { errorResult } from "./error-result.js";
import { createLiveEvents } from "./live-events.js";
import {
  type AttemptNote,
  type BatchHead,
  type CellEnd,
  type CellJob,
  type CellProgress,
  keys,
  retriesOf,
} from "./protocol.js";
import { BlobMissing, type Shelf } from "./shelf.js";
import type { FetchedSources } from "./ship-sources.js";
import type { WorkerPlaces } from "./worker-places.js";

/** Why an attempt is stopped. `lost`: another worker may have the cell. `returned`: this worker ends. */
export type StopCause = "lost" | "returned" | "cancelled";

export interface ProcessorOptions {
  connection: QueueConnection;
  /** The worker's name. */
  worker: string;
  places: WorkerPlaces;
  sources: FetchedSources;
  /** The shelf of a batch. */
  shelfOf(head: BatchHead): Shelf;
  resolveArm: ResolveArm;
  lockMs: number;
  /** No worker takes cells of this agent for this long. */
  hold(agent: string, milliseconds: number): Promise<void>;
  onNotice(sentence: string): void;
}

export type CellOfJob = Job<CellJob, CellEnd>;

/** The attempt failed temporarily: BullMQ tries again after this delay. */
export class CellRetry extends Error {
  override readonly name = "CellRetry";
  readonly delayMs: number;

  constructor(failure: Failure, delayMs: number) {
    super(failure.message);
    this.delayMs = delayMs;
  }
}

/** Another worker may have the cell, so nothing of this attempt counts. */
class LostLock extends Error {
  override readonly name = "LostLock";

  constructor() {
    super("the lock of the cell was lost");
  }
}

/** `failedReason` of a job that was stopped because its batch is cancelled. */
export const cancelledReason = "cancelled";

const missingMs = 2000;
const faultyMs = 5000;

/** Carries out one cell once. Throws what BullMQ understands if it has no result: see `CellRetry`. */
export async function processCell(
  options: ProcessorOptions,
  job: CellOfJob,
  token: string,
  stop: AbortSignal,
): Promise<CellEnd> {
  const { connection, places, worker } = options;
  const { bullmq, redis } = connection;
  const { batchId, cell } = job.data;
  // They become names of directories.
  if (!isRunId(batchId) || !isRunId(cell.id)) throw new bullmq.UnrecoverableError("an id is not valid");
  const [headText, cancelled] = await redis.mget(keys.head(batchId), keys.cancelled(batchId));
  if (cancelled !== null) throw new bullmq.UnrecoverableError(cancelledReason);
  const head = parseOwnJson(headText ?? "") as BatchHead | undefined;
  const later = async (): Promise<never> => {
    await job.moveToDelayed(Date.now() + missingMs, token);
    throw new bullmq.DelayedError();
  };
  const wanted = head?.sources[cell.task.id];
  // Redis came back empty. The batch puts everything there again.
  if (head === undefined || wanted === undefined) return later();
  const before = noteDeath(attemptsOf(job));
  if (before.length > head.plan.retries) return ended(errorResult(cell, exhausted(before), before, worker));

  const note: AttemptNote = { runId: createCellRunId(cell.id), attempt: before.length + 1, worker };
  const shelf = options.shelfOf(head);
  const attempt: Attempt = { options, job, token, stop, head, shelf, before, note };
  try {
    const source = await options.sources.get(batchId, shelf, wanted);
    await writeProgress(attempt, [...before, note]);
    return await carryOut(attempt, source);
  } catch (error) {
    // Awaited here: what is rejected while the directories are removed would end the whole worker.
    if (error instanceof BlobMissing) return await later();
    if (isMeantForQueue(bullmq, error)) throw error;
    // Perhaps it is the fault of this machine. The next attempt may be on another one.
    const failure: Failure = { kind: "interrupted", message: problemOn(worker, error) };
    options.onNotice(failure.message);
    return await tryAgain(attempt, { failure }, faultyMs);
  } finally {
    await places.removeRun(note.runId);
  }
}

interface Attempt {
  options: ProcessorOptions;
  job: CellOfJob;
  token: string;
  stop: AbortSignal;
  head: BatchHead;
  shelf: Shelf;
  before: readonly AttemptNote[];
  note: AttemptNote;
}

type AttemptSource = Awaited<ReturnType<FetchedSources["get"]>>;

async function carryOut(attempt: Attempt, source: AttemptSource): Promise<CellEnd> {
  const { options, job, stop, head, before, note, shelf } = attempt;
  const { places, worker, connection } = options;
  const { batchId, cell } = job.data;
  const stream = createLiveEvents(connection.redis, note.runId);
  const ending = runAttempt(cell, {
    batchId,
    source,
    places: { ...places.run(note.runId), sources: options.sources.directory(batchId) },
    plan: { ...head.plan, tasks: [cell.task], arms: [cell.arm] },
    resolved: options.resolveArm(cell.arm),
    attempt: note.attempt,
    runId: note.runId,
    retries: retriesOf(before),
    sessionsDirectory: places.sessions,
    signal: stop,
    worker,
    onEvents: (steps) => stream.push(steps),
  });
  const end = await ending
    .finally(() => stream.end())
    .catch((error: unknown) => {
      if (!stop.aborted) throw error;
    });
  if (end === undefined || stop.reason === "lost") return giveBack(attempt);
  if (end.kind === "retry") return tryAgain(attempt, end);
  await keepLock(attempt);
  const place = filesOf(places, cell, note.runId);
  const shipped = await shipFiles(shelf, place, { temporary: places.temporary, runId: note.runId });
  // Nobody would remove them.
  await keepLock(attempt).catch(async (error: unknown) => {
    await removeShipped(shelf, note.runId);
    throw error;
  });
  for (const problem of shipped.problems) options.onNotice(problem);
  return { result: { ...end.result, worker }, ...shipped };
}

/** The attempt was stopped. Nothing of it counts. */
async function giveBack(attempt: Attempt): Promise<never> {
  const { options, job, token, stop, before } = attempt;
  const { bullmq } = options.connection;
  const cause: StopCause = stop.reason;
  if (cause === "cancelled") throw new bullmq.UnrecoverableError(cancelledReason);
  if (cause === "lost") throw new LostLock();
  await writeProgress(attempt, before);
  await job.moveToWait(token);
  throw new bullmq.WaitingError();
}

async function tryAgain(
  attempt: Attempt,
  { failure, costUsd }: { failure: Failure; costUsd?: number | undefined },
  delayMs = retryDelay(failure, attempt.note.attempt, new Date()) ?? 0,
): Promise<never> {
  const { before, note } = attempt;
  const until = new Date(Date.now() + delayMs).toISOString();
  const retry = { failure, until, ...(costUsd !== undefined && { costUsd }) };
  await writeProgress(attempt, [...before, { ...note, retry }]);
  // The limit is the account's: all cells of the agent wait for its end.
  if (limitDelay(failure, new Date()) !== undefined)
    await attempt.options.hold(agentOf(attempt.job.data.cell.arm), delayMs);
  throw new CellRetry(failure, delayMs);
}

/** Only whoever holds the lock may write. BullMQ checks it when a job ends, and not for its progress. */
async function writeProgress(attempt: Attempt, attempts: readonly AttemptNote[]): Promise<void> {
  await keepLock(attempt);
  await attempt.job.updateProgress({ attempts } satisfies CellProgress);
}

async function keepLock({ job, token, options }: Attempt): Promise<void> {
  const isHeld = await job.extendLock(token, options.lockMs).catch(() => 0);
  if (isHeld !== 1) throw new LostLock();
}

/** Progress of a job that was added again begins with what the batch knew. */
export function attemptsOf(job: Pick<CellOfJob, "data" | "progress">): readonly AttemptNote[] {
  const progress: unknown = job.progress;
  const isWritten = typeof progress === "object" && progress !== null && "attempts" in progress;
  return isWritten ? (progress as CellProgress).attempts : (job.data.before ?? []);
}

/** An attempt without an end: its worker is gone, or Redis has lost what it wrote. */
function noteDeath(attempts: readonly AttemptNote[]): readonly AttemptNote[] {
  const last = attempts.at(-1);
  if (last === undefined || last.retry !== undefined) return attempts;
  const failure: Failure = {
    kind: "interrupted",
    message: `the worker ${last.worker} died while it carried out this cell`,
  };
  return [...attempts.slice(0, -1), { ...last, retry: { failure, until: new Date().toISOString() } }];
}

function exhausted(attempts: readonly AttemptNote[]): string {
  const last = attempts.at(-1)?.retry?.failure.message ?? "nobody knows why";
  return `none of ${attempts.length} attempts ended; the last: ${last}`;
}

function ended(result: CellEnd["result"]): CellEnd {
  return { result, files: [], problems: [] };
}

function filesOf(places: WorkerPlaces, cell: Cell, runId: string): FilesPlace {
  return { sessionsDirectory: places.sessions, cellDirectory: places.run(runId).cell(cell.id), runId };
}

function isMeantForQueue(bullmq: BullMq, error: unknown): boolean {
  const { DelayedError, WaitingError, UnrecoverableError } = bullmq;
  return [DelayedError, WaitingError, UnrecoverableError, CellRetry, LostLock].some(
    (kind) => error instanceof kind,
  );
}

function problemOn(worker: string, error: unknown): string {
  return `the worker ${worker} could not carry out the cell: ${messageOf(error)}`;
}
