import type { Executor } from "../executor.js";
import type { CheckedPlan } from "../model/plan.js";
import type { Source } from "../model/source.js";
import type { BatchPlaces } from "../places.js";
import { connectQueue, type QueueConnection } from "./connection.js";
import { createGivenOut } from "./given-out.js";
import { openShelf } from "./open-shelf.js";
import { publishBatch } from "./published-batch.js";
import { redisAddress } from "./redis-shelf.js";
import type { Shelf } from "./shelf.js";
import { shipSources } from "./ship-sources.js";

export interface QueueExecutorOptions {
  /** `redis://…` or `rediss://…`. */
  url: string;
  /** The version of harness. Only workers of the same version take cells. */
  version: string;
  batchId: string;
  plan: CheckedPlan;
  /** By the ids of the tasks. */
  sources: Readonly<Record<string, Source>>;
  places: BatchPlaces;
  /** Where the recordings of the runs are put. */
  sessionsDirectory: string;
  /** How files get from one machine to another. Default: through Redis. */
  shelf?: string | undefined;
  /** At most this many cells are given out at once. Default: what the workers can take. */
  concurrency?: number | undefined;
  /** What the person who runs the batch should know, in one sentence. */
  onNotice(sentence: string): void;
  /** How often everything is looked at, for the case that an event was missed. */
  reconcileMs?: number | undefined;
}

/** The options, and what was opened with them. `openedShelf` is the shelf that the address names. */
export interface ConnectedOptions extends QueueExecutorOptions {
  connection: QueueConnection;
  openedShelf: Shelf;
}

/**
 * Carries out cells on the workers of a queue. Throws a `HarnessError` if the server does not answer, a package is missing, or a workspace
 * is too large to be shipped. Nothing is given out before `run`.
 */
export async function createQueueExecutor(options: QueueExecutorOptions): Promise<Executor> {
  const connection = await connectQueue(options);
  try {
    const openedShelf = openShelf(options.shelf ?? redisAddress, connection.redis);
    const connected: ConnectedOptions = { ...options, connection, openedShelf };
    const published = publishBatch(connected, await shipSources(openedShelf, options.sources, options));
    let cancels = 0;
    let onCancel: (isSecond: boolean) => void = () => {};
    return {
      async run(cells, host) {
        const givenOut = createGivenOut({ ...connected, published }, cells, host);
        onCancel = (isSecond) => (isSecond ? givenOut.giveUp() : givenOut.cancel());
        if (cancels > 0) onCancel(cancels > 1);
        try {
          await givenOut.run();
        } finally {
          await published.close();
          connection.close();
        }
      },
      cancel() {
        cancels++;
        onCancel(cancels > 1);
      },
    };
  } catch (error) {
    connection.close();
    throw error;
  }
}
