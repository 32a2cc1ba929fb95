import type { Cell } from "../model/cell.js";
import type { CellOfJob } from "./cell-processor.js";
import type { QueueConnection } from "./connection.js";
import { type AttemptNote, type CellEnd, type CellJob, jobIdOf, queueName, queuePrefix } from "./protocol.js";

/** A cell that was given out: it is a job of the queue. */
export interface GivenCell {
  cell: Cell;
  jobId: string;
  lane: Lane;
  /** What its workers have noted so far. */
  attempts: readonly AttemptNote[];
  /** Its result is being fetched. */
  isCollecting: boolean;
}

/** The queue of one agent, as a batch uses it. */
export interface Lane {
  readonly agent: string;
  /** Cells that are not given out yet, in their order. */
  readonly waiting: Cell[];
  /** By the ids of the jobs. */
  readonly given: Map<string, GivenCell>;
  /** Gives cells out. One that is in the queue already stays as it is. */
  add(cells: readonly Pick<GivenCell, "cell" | "attempts">[]): Promise<void>;
  find(jobId: string): Promise<CellOfJob | undefined>;
  /** False if a worker has it. */
  remove(jobId: string): Promise<boolean>;
  /** Every job of this batch, in whatever state. */
  jobsOfBatch(): Promise<CellOfJob[]>;
  /** Limits how many cells of the agent run at once, on all machines. */
  limit(concurrency: number | undefined): Promise<void>;
  close(): Promise<void>;
}

export interface LaneOptions {
  connection: QueueConnection;
  version: string;
  batchId: string;
  agent: string;
  /** Something has happened to this job. Events may be missed. */
  onEvent(jobId: string): void;
}

export function openLane({ connection, version, batchId, agent, onEvent }: LaneOptions): Lane {
  const { bullmq, redis } = connection;
  const name = queueName(version, agent);
  const place = { connection: redis, prefix: queuePrefix };
  const queue = new bullmq.Queue<CellJob, CellEnd>(name, {
    ...place,
    streams: { events: { maxLen: keptEvents } },
    defaultJobOptions: {
      // How often is decided by the attempts that are noted in the job, and when by the worker.
      attempts: Number.MAX_SAFE_INTEGER,
      backoff: { type: "custom" },
      stackTraceLimit: 0,
    },
  });
  const events = new bullmq.QueueEvents(name, place);
  // The connection reports that it is lost. Commands wait for it.
  queue.on("error", () => {});
  events.on("error", () => {});
  for (const event of ["progress", "completed", "failed", "delayed", "stalled"] as const)
    events.on(event, ({ jobId }: { jobId: string }) => onEvent(jobId));
  return {
    agent,
    waiting: [],
    given: new Map(),
    async add(cells) {
      await queue.addBulk(
        cells.map(({ cell, attempts }) => ({
          name: "cell",
          data: { batchId, cell, ...(attempts.length > 0 && { before: attempts }) },
          opts: { jobId: jobIdOf(batchId, cell.id) },
        })),
      );
    },
    find: (jobId) => queue.getJob(jobId),
    remove: async (jobId) => (await queue.remove(jobId)) === 1,
    async jobsOfBatch() {
      const jobs = await queue.getJobs(["active", "wait", "delayed", "prioritized", "completed", "failed"]);
      return jobs.filter((job) => job?.id?.startsWith(`${batchId}-`));
    },
    async limit(concurrency) {
      if (concurrency === undefined) await queue.removeGlobalConcurrency();
      else await queue.setGlobalConcurrency(concurrency);
    },
    async close() {
      await Promise.all([queue.close(), events.close()]);
    },
  };
}

/** Events are only hints, so few are kept. */
const keptEvents = 1000;
