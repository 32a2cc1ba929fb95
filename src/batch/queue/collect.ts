import { messageOf } from "../../errors.js";
import type { Failure } from "../../events/failure.js";
import { cleanText } from "../../text/clean-text.js";
import type { ExecutorHost } from "../executor.js";
import { receiveFiles, removeShipped } from "./cell-files.js";
import type { CellOfJob } from "./cell-processor.js";
import { parseEnd } from "./end-schema.js";
import { errorResult } from "./error-result.js";
import type { KnownAttempts } from "./known-attempts.js";
import type { GivenCell } from "./lane.js";
import type { CellEnd, CellProgress } from "./protocol.js";
import type { ConnectedOptions } from "./queue-executor.js";
import { BlobMissing } from "./shelf.js";

export interface CollectOptions extends ConnectedOptions {
  host: ExecutorHost;
  known: KnownAttempts;
  isGivenUp: boolean;
}

const firstPauseMs = 1000;
const longestPauseMs = 30_000;

/**
 * Takes the result of a finished job: its files first, then the ledger, and then the job leaves Redis. A batch that is killed in between
 * finds the job again. Returns false if the cell is to be carried out once more, because its files did not arrive.
 */
export async function collect(options: CollectOptions, given: GivenCell, job: CellOfJob): Promise<boolean> {
  const { host, known, openedShelf: shelf } = options;
  const { cell, lane, jobId, attempts } = given;
  const end = parseEnd(job.returnvalue, cell);
  if (end === undefined) {
    host.done(cell, errorResult(cell, "its worker returned something that is not a result", attempts));
    await lane.remove(jobId);
    return true;
  }
  const problem = await fetchFiles(options, given, end);
  if (problem !== undefined) return again(options, given, job, problem);
  for (const sentence of end.problems) options.onNotice(cleanText(sentence));
  host.done(cell, {
    ...end.result,
    attempts: end.result.attempts - known.countEarlier(attempts),
    retries: end.result.retries.filter(({ runId }) => !known.wasRetriedEarlier(runId)),
  });
  await lane.remove(jobId);
  for (const { blob } of end.files) await shelf.remove(blob.name).catch(() => {});
  // A worker that died may have shipped something.
  for (const { runId } of attempts) if (runId !== end.result.runId) await removeShipped(shelf, runId);
  return true;
}

/** Tries until the shelf answers. Returns why the files will never come. */
async function fetchFiles(
  options: CollectOptions,
  given: GivenCell,
  end: CellEnd,
): Promise<string | undefined> {
  const { places, sessionsDirectory, openedShelf: shelf, onNotice } = options;
  const { cell } = given;
  const place = { sessionsDirectory, cellDirectory: places.cell(cell.id), runId: end.result.runId };
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    try {
      await receiveFiles(shelf, end.files, place, places.work);
      return undefined;
    } catch (error) {
      if (error instanceof BlobMissing) return error.message;
      if (options.isGivenUp) throw error;
      if (pauseMs === firstPauseMs)
        onNotice(
          `the recording of the cell ${cell.id} cannot be fetched yet: ${cleanText(messageOf(error))}`,
        );
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}

async function again(
  { plan, host }: CollectOptions,
  { cell, lane, jobId, attempts }: GivenCell,
  job: CellOfJob,
  problem: string,
): Promise<boolean> {
  const failure: Failure = { kind: "interrupted", message: `its files did not arrive: ${problem}` };
  const last = attempts.at(-1);
  if (last === undefined || attempts.length > plan.retries) {
    host.done(cell, errorResult(cell, failure.message, attempts));
    await lane.remove(jobId);
    return true;
  }
  const noted = { ...last, retry: { failure, until: new Date().toISOString() } };
  await job.updateProgress({ attempts: [...attempts.slice(0, -1), noted] } satisfies CellProgress);
  await job.retry("completed");
  return false;
}
