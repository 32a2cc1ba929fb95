import type { ExecutorHost } from "../executor.js";
import type { Cell } from "../model/cell.js";
import { attemptsOf, type CellOfJob, cancelledReason } from "./cell-processor.js";
import { collect } from "./collect.js";
import { parseAttempts, parseEnd } from "./end-schema.js";
import { errorResult } from "./error-result.js";
import type { KnownAttempts } from "./known-attempts.js";
import type { GivenCell, Lane } from "./lane.js";
import type { PublishedBatch } from "./published-batch.js";
import type { ConnectedOptions } from "./queue-executor.js";

/** Everything about a batch while its cells are given out. */
export interface Giving extends ConnectedOptions {
  published: PublishedBatch;
  host: ExecutorHost;
  known: KnownAttempts;
  /** By the ids of the agents. */
  lanes: Map<string, Lane>;
  touched: Touched;
  isCancelling: boolean;
  isGivenUp: boolean;
}

/** Jobs to look at. */
export interface Touched {
  add(jobId: string): void;
  wake(): void;
  /** Resolves when there is something to do, or after this long. */
  wait(milliseconds: number): Promise<ReadonlySet<string>>;
}

/** Looks at the job of a cell, and reports what is new. */
export async function look(giving: Giving, given: GivenCell): Promise<void> {
  const { lane, jobId, cell } = given;
  if (given.isCollecting || lane.given.get(jobId) !== given) return;
  const job = await lane.find(jobId);
  if (given.isCollecting || lane.given.get(jobId) !== given) return;
  if (job === undefined) {
    // Redis came back empty.
    if (giving.isCancelling) lane.given.delete(jobId);
    else await lane.add([given]);
    return;
  }
  report(giving, given, job);
  if (!isFinishedJob(job)) return;
  given.isCollecting = true;
  const end = () => {
    lane.given.delete(jobId);
    giving.touched.wake();
  };
  if (isCompleted(job)) {
    collect(giving, given, job).then(
      (isDone) => {
        given.isCollecting = false;
        if (isDone) end();
      },
      () => {
        given.isCollecting = false;
      },
    );
    return;
  }
  await lane.remove(jobId);
  given.isCollecting = false;
  if (job.failedReason !== cancelledReason)
    giving.host.done(cell, errorResult(cell, `its worker failed: ${job.failedReason}`, given.attempts));
  else if (!giving.isCancelling) return lane.add([given]);
  end();
}

/** Every attempt is reported once, in order, also those of which no event came. */
function report({ host, known }: Giving, given: GivenCell, job: CellOfJob): void {
  const { cell } = given;
  given.attempts = parseAttempts(attemptsOf(job)).filter(({ runId }) => runId.startsWith(`${cell.id}-`));
  const earlier = known.countEarlier(given.attempts);
  for (const { runId, worker, retry, ...note } of given.attempts) {
    const attempt = note.attempt - earlier;
    if (!known.hasStarted(runId)) {
      known.noteStart(runId);
      host.started(cell, { attempt, runId, worker });
    }
    if (retry === undefined || known.isRetried(runId)) continue;
    known.noteRetry(runId);
    host.retrying(cell, { attempt, runId, ...retry });
  }
}

export function isFinishedJob(job: CellOfJob): boolean {
  return job.finishedOn !== undefined && job.finishedOn !== null;
}

function isCompleted(job: CellOfJob): boolean {
  return job.returnvalue !== undefined && job.returnvalue !== null;
}

/** An error is carried out again, as everywhere on resume. */
export function isResult(job: CellOfJob, cell: Cell): boolean {
  const end = parseEnd(job.returnvalue, cell);
  return end !== undefined && end.result.verdict !== "error";
}
