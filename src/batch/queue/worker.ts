import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import type { Worker } from "bullmq";
import type { AgentDefinition } from "../../agents/definition.js";
import { agents as builtInAgents } from "../../agents/registry.js";
import { messageOf } from "../../errors.js";
import type { ResolveArm } from "../batch.js";
import {
  type CellOfJob,
  CellRetry,
  type ProcessorOptions,
  processCell,
  type StopCause,
} from "./cell-processor.js";
import { connectQueue, type QueueConnection } from "./connection.js";
import { findAgents } from "./find-agents.js";
import { openShelf } from "./open-shelf.js";
import { type CellEnd, type CellJob, queueName, queuePrefix } from "./protocol.js";
import { createFetchedSources } from "./ship-sources.js";
import { createSlots, type Slots } from "./slots.js";
import { createStop } from "./stop-worker.js";
import { makeWorkerPlaces } from "./worker-places.js";
import { watchQueue } from "./worker-watch.js";

export interface WorkerOptions {
  /** `redis://…` or `rediss://…`. */
  url: string;
  /** The version of harness. Only batches of the same version are served. */
  version: string;
  /** How many cells at once. */
  concurrency: number;
  resolveArm: ResolveArm;
  /** The agents to serve, if they are installed. Default: the built-in ones. */
  agents?: readonly AgentDefinition[] | undefined;
  /** The address of the shelf, if it has another one on this machine than the batch says. */
  shelf?: string | undefined;
  /** Where workspaces and everything else of this worker are. Default: a directory for temporary files. */
  workDirectory?: string | undefined;
  /** For people. Default: the name of the machine and the id of the process. */
  name?: string | undefined;
  /** The cell of a worker that dies is given to another one after about this long. */
  lockMs?: number | undefined;
  /** What the person who runs the worker should know, in one sentence. */
  onNotice(sentence: string): void;
  /** A cell begins, or has ended here. */
  onCell?(event: { kind: "started" | "ended"; cellId: string; agent: string }): void;
}

export interface WorkerUnderWay {
  readonly name: string;
  /** The agents that it serves, with their versions. */
  readonly agents: Readonly<Record<string, string | null>>;
  readonly running: number;
  /**
   * Takes no more cells. Those that have not ended after `drainMs` go back to the queue, and this attempt does not count. Called again: they go
   * back at once. False: the server was away, and gives the cells to others when it is back.
   */
  stop(options?: { drainMs?: number | undefined }): Promise<boolean>;
}

/**
 * A worker that dies holds its cells for this long. One that does not reach the server for three quarters of it loses them, and they begin
 * again. The event loop does not hold up the renewal: everything large is done by other processes, or in pieces.
 */
const defaultLockMs = 30_000;

const overlapMs = 1000;

/** Starts to serve the queues of the agents that this machine has. Throws a `HarnessError` if the server does not answer. */
export async function startWorker(options: WorkerOptions): Promise<WorkerUnderWay> {
  const { onNotice, lockMs = defaultLockMs } = options;
  const connection = await connectQueue(options);
  const found = await findAgents(options.agents ?? builtInAgents, options.resolveArm);
  const places = await makeWorkerPlaces(options.workDirectory);
  const name = options.name ?? `${hostname()}-${process.pid}`;
  const processor: ProcessorOptions = {
    connection,
    worker: name,
    places,
    sources: createFetchedSources(places.sources),
    shelfOf: (head) => openShelf(options.shelf ?? head.shelf, connection.redis),
    resolveArm: options.resolveArm,
    lockMs,
    hold: (agent, milliseconds) => holdQueue(connection, queueName(options.version, agent), milliseconds),
    onNotice,
  };
  const running = new Map<string, RunningCell>();
  const served: Served = { options, connection, processor, running, lockMs, slots: undefined };
  const workers = Object.keys(found.agents).map((agent) => serve(served, agent));
  const slots = createSlots(options.concurrency, workers);
  served.slots = slots;
  const stopWhere = (cause: StopCause, isMeant: (cell: RunningCell) => boolean = () => true) => {
    for (const cell of running.values()) if (isMeant(cell)) cell.controller.abort(cause);
  };
  const watch = await watchQueue({
    connection,
    version: options.version,
    found,
    id: `${name}-${randomBytes(4).toString("hex")}`,
    name,
    concurrency: options.concurrency,
    slots,
    batches: () => new Set([...running.values()].map(({ batchId }) => batchId)),
    sources: processor.sources,
    onCancelled: (batchId) => stopWhere("cancelled", (cell) => cell.batchId === batchId),
    onNotice,
  });
  for (const worker of workers) worker.run().catch(() => {});

  const stop = createStop({
    connection,
    slots,
    giveBack: () => stopWhere("returned"),
    async close() {
      await Promise.all(workers.map((worker) => worker.close()));
      await watch.close();
    },
  });
  return {
    name,
    agents: found.agents,
    get running() {
      return slots.running;
    },
    async stop(how) {
      watch.drain();
      const isInOrder = await stop(how);
      await watch.close();
      await places.remove();
      return isInOrder;
    },
  };
}

interface RunningCell {
  batchId: string;
  controller: AbortController;
}

interface Served {
  options: WorkerOptions;
  connection: QueueConnection;
  processor: ProcessorOptions;
  running: Map<string, RunningCell>;
  lockMs: number;
  slots: Slots | undefined;
}

/** The worker of BullMQ for one agent. It is not running yet. */
function serve(served: Served, agent: string): Worker<CellJob, CellEnd> {
  const { options, connection, running, lockMs } = served;
  const worker = new connection.bullmq.Worker<CellJob, CellEnd>(
    queueName(options.version, agent),
    (job, token = "") => take(served, agent, job, token),
    {
      connection: connection.redis,
      prefix: queuePrefix,
      name: served.processor.worker,
      concurrency: options.concurrency,
      lockDuration: lockMs,
      // It is renewed twice in this time: after a renewal that came too late there are others.
      lockRenewTime: lockMs / 4,
      stalledInterval: Math.max(500, Math.round(lockMs / 3)),
      // Attempts are counted in the job's progress, those of dead workers included.
      maxStalledCount: Number.MAX_SAFE_INTEGER,
      // It never limits anything. Without one, BullMQ does not look whether the queue is held.
      limiter: { max: 1_000_000, duration: 1000 },
      // After the connection was lost.
      runRetryDelay: 1000,
      autorun: false,
      settings: {
        // -1: an error inside the worker is not tried again by itself. The batch decides.
        backoffStrategy: (_made, _type, error) => (error instanceof CellRetry ? error.delayMs : -1),
      },
    },
  );
  worker.on("lockRenewalFailed", (jobIds) => {
    for (const id of jobIds) running.get(id)?.controller.abort("lost" satisfies StopCause);
  });
  worker.on("error", (error) => {
    if (isWorthANotice(error)) options.onNotice(`the queue of ${agent}: ${messageOf(error)}`);
  });
  return worker;
}

async function take(served: Served, agent: string, job: CellOfJob, token: string): Promise<CellEnd> {
  const { options, connection, running, processor, slots } = served;
  const { batchId, cell } = job.data;
  const id = job.id ?? cell.id;
  const earlier = running.get(id);
  if (earlier !== undefined) {
    // This worker has lost the cell, and gets it again before its attempt has stopped. BullMQ renews one lock for each job, so the two
    // attempts must not overlap.
    earlier.controller.abort("lost" satisfies StopCause);
    await job.moveToDelayed(Date.now() + overlapMs, token);
    throw new connection.bullmq.DelayedError();
  }
  if (slots?.take() !== true) {
    await job.moveToWait(token);
    throw new connection.bullmq.WaitingError();
  }
  const controller = new AbortController();
  running.set(id, { batchId, controller });
  options.onCell?.({ kind: "started", cellId: cell.id, agent });
  try {
    return await processCell(processor, job, token, controller.signal);
  } finally {
    running.delete(id);
    slots.release();
    options.onCell?.({ kind: "ended", cellId: cell.id, agent });
  }
}

async function holdQueue(
  { bullmq, redis }: QueueConnection,
  name: string,
  milliseconds: number,
): Promise<void> {
  const queue = new bullmq.Queue(name, { connection: redis, prefix: queuePrefix, skipMetasUpdate: true });
  queue.on("error", () => {});
  await queue.rateLimit(Math.max(1, Math.round(milliseconds)));
  await queue.close();
}

/** A lost connection has its own notice, and a lost lock is a cell that another worker has now. */
function isWorthANotice(error: Error): boolean {
  return !/ECONN|EPIPE|Connection is closed|lock|Missing key|ENOTFOUND|ETIMEDOUT|LOADING/i.test(
    error.message,
  );
}
