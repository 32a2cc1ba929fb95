import { Worker } from "node:worker_threads";
import { messageOf } from "../../errors.js";
import { removeDrafts } from "./drafts.js";
import { doJob, failedBy, type JobOutcome, type RunJob, type Work } from "./job.js";
import type { FromWorker, ToWorker } from "./serve-jobs.js";

/** Carries out jobs, one after the other. */
export interface JobLane<Given> {
  /**
   * `take` gets what the job prints. While its promise is pending, the job waits. Never rejects: whatever happens is the outcome of
   * this job.
   */
  run(job: RunJob<Given>, take: TakeBytes): Promise<JobOutcome>;
  /** Stops a job that is under way, and leaves nothing of it behind. */
  close(): Promise<void>;
}

export type TakeBytes = (bytes: Uint8Array) => Promise<void> | undefined;

/** Carries out jobs in this thread. It may be used by several at the same time: each waits for those before it. */
export function createOwnLane<Given>(open: () => Promise<Work<Given>>, signal: AbortSignal): JobLane<Given> {
  let work: Promise<Work<Given>> | undefined;
  let last: Promise<unknown> = Promise.resolve();

  async function runNext(job: RunJob<Given>, take: TakeBytes): Promise<JobOutcome> {
    if (signal.aborted) return failedBy(`${job.name}: stopped`);
    const output = {
      write: (text: string | Uint8Array) =>
        text.length === 0 ? undefined : take(typeof text === "string" ? Buffer.from(text) : text),
      get isClosed() {
        return signal.aborted;
      },
      onClose: () => undefined,
    };
    work ??= open();
    return doJob(await work, job, { output, signal });
  }

  return {
    run(job, take) {
      const outcome = last.then(() => runNext(job, take));
      last = outcome.catch(() => undefined);
      return outcome.catch((error: unknown) => failedBy(`${job.name}: ${messageOf(error)}`));
    },
    close: () => Promise.resolve(),
  };
}

/**
 * Carries out jobs in a worker thread. If the thread dies, its job fails, and the next one gets a new thread. `own`: carries out
 * jobs if the work cannot be done in a worker, such as the module of an agent that only loads in the main thread.
 */
export function createWorkerLane<Given>(entry: URL, setup: unknown, own: JobLane<Given>): JobLane<Given> {
  let worker: Worker | undefined;
  let isClosed = false;
  let isUnfit = false;

  async function run(job: RunJob<Given>, take: TakeBytes): Promise<JobOutcome> {
    if (isClosed) return failedBy(`${job.name}: stopped`);
    if (isUnfit) return own.run(job, take);
    worker ??= new Worker(entry, { workerData: setup });
    const result = await runIn(worker, job, take);
    if (result.isAlive) return result.outcome;
    worker = undefined;
    removeDrafts(job.files);
    if (!result.isUnfit) return result.outcome;
    isUnfit = true;
    return own.run(job, take);
  }

  return {
    run,
    async close() {
      isClosed = true;
      await worker?.terminate();
    },
  };
}

interface WorkerResult {
  outcome: JobOutcome;
  /** False: the thread has ended. */
  isAlive: boolean;
  /** True: it could not begin. */
  isUnfit?: true;
}

function runIn<Given>(worker: Worker, job: RunJob<Given>, take: TakeBytes): Promise<WorkerResult> {
  return new Promise((resolve) => {
    function end(result: WorkerResult): void {
      worker.off("message", receive).off("error", fail).off("exit", exit);
      resolve(result);
    }
    function fail(error: unknown): void {
      // Without a listener, a second error would end the process.
      worker.on("error", () => undefined);
      end({ outcome: failedBy(`${job.name}: ${messageOf(error)}`), isAlive: false });
    }
    function exit(): void {
      end({ outcome: failedBy(`${job.name}: the thread that worked on it has ended`), isAlive: false });
    }
    async function receive(message: FromWorker): Promise<void> {
      if (message.type === "unfit") {
        end({ outcome: failedBy(`${job.name}: ${message.problem}`), isAlive: false, isUnfit: true });
        return;
      }
      if (message.bytes !== undefined) await take(message.bytes);
      if (message.type === "done") end({ outcome: message.outcome, isAlive: true });
      else send(worker, { type: "taken" });
    }
    worker.on("message", receive).on("error", fail).on("exit", exit);
    send(worker, { type: "job", job });
  });
}

function send<Given>(worker: Worker, message: ToWorker<Given>): void {
  worker.postMessage(message);
}
