import { hostname } from "node:os";
import { monotonicTime } from "../../process/monotonic-time.js";
import { cleanText } from "../../text/clean-text.js";
import { formatNumberOf } from "../../text/numbers.js";
import { type BatchHead, keptSeconds, keys, queueProtocol } from "./protocol.js";
import type { ConnectedOptions } from "./queue-executor.js";
import { type AnnouncedWorker, announceEntry, heartbeatMs, listAnnounced, withdraw } from "./registry.js";
import type { ShippedSources } from "./ship-sources.js";

/** What workers can read of a batch, and what the batch knows of them. */
export interface PublishedBatch {
  /** Puts everything there, also what Redis has lost. True if it had lost it. */
  renew(agents: readonly string[]): Promise<boolean>;
  /** How many cells of this agent the workers can carry out at once. */
  slots(agent: string): number;
  /** Stops the cells of the batch on every worker. */
  cancel(): Promise<void>;
  /** Other batches with this agent that are under way. */
  hasOthers(agent: string): Promise<boolean>;
  /** Removes what was published. */
  close(): Promise<void>;
}

const longestCloseMs = 5000;

export function publishBatch(options: ConnectedOptions, sources: ShippedSources): PublishedBatch {
  const { connection, batchId, plan, version } = options;
  const { redis } = connection;
  const { tasks, arms, ...settings } = plan;
  const head: BatchHead = {
    batchId,
    plan: settings,
    sources: sources.sources,
    shelf: options.openedShelf.address,
  };
  const workers = createWorkerList(options);
  let isPublished = false;
  let lastBeat = Number.NEGATIVE_INFINITY;
  return {
    async renew(agents) {
      const isLost = isPublished && (await redis.exists(keys.head(batchId))) === 0;
      if (isLost || !isPublished) {
        if (!isPublished) await redis.del(keys.cancelled(batchId));
        await sources.renew();
        await redis.set(keys.head(batchId), JSON.stringify(head), "EX", keptSeconds);
        isPublished = true;
      }
      if (isLost || monotonicTime() - lastBeat >= heartbeatMs) {
        lastBeat = monotonicTime();
        const about = { id: batchId, name: plan.name, version, protocol: queueProtocol, host: hostname() };
        await announceEntry(redis, "batch", { ...about, agents: [...agents] });
        await redis.expire(keys.head(batchId), keptSeconds);
        await sources.renew();
        workers.update(await listAnnounced(redis, "worker"), agents);
      }
      return isLost;
    },
    slots: workers.slots,
    async cancel() {
      await redis.set(keys.cancelled(batchId), "1", "EX", keptSeconds);
      await redis.publish(keys.cancelChannel, batchId);
    },
    async hasOthers(agent) {
      const batches = await listAnnounced(redis, "batch");
      return batches.some(
        (one) => one.id !== batchId && one.version === version && one.agents.includes(agent),
      );
    },
    async close() {
      const removing = async () => {
        await withdraw(redis, "batch", batchId);
        await redis.del(keys.head(batchId));
        await sources.remove();
      };
      // A server that is away forgets it by itself.
      if (connection.isUp()) await Promise.race([removing().catch(() => {}), after(longestCloseMs)]);
    },
  };
}

/** The workers that there are. Says so if some cannot help, or if nobody can: each sentence once. */
function createWorkerList({ version, onNotice }: ConnectedOptions) {
  let usable: AnnouncedWorker[] = [];
  const said = new Set<string>();
  const say = (key: string, sentence: string) => {
    if (said.has(key)) return;
    said.add(key);
    onNotice(sentence);
  };
  const slots = (agent: string) =>
    usable.reduce((sum, worker) => sum + (agent in worker.agents ? worker.concurrency : 0), 0);
  return {
    slots,
    update(workers: readonly AnnouncedWorker[], agents: readonly string[]) {
      const isSame = (one: AnnouncedWorker) => one.version === version && one.protocol === queueProtocol;
      usable = workers.filter((one) => isSame(one) && !one.isDraining);
      for (const one of workers.filter((other) => !isSame(other)))
        say(
          `version ${one.name}`,
          `the worker ${cleanText(one.name)} is harness ${cleanText(one.version)}, and this is harness ${version}; it takes no cells of this batch`,
        );
      for (const agent of agents) {
        if (slots(agent) > 0) said.delete(`none ${agent}`);
        else say(`none ${agent}`, noWorkerFor(agent, usable.length));
      }
    },
  };
}

function noWorkerFor(agent: string, others: number): string {
  const there =
    others === 0 ? "no worker is there" : `${formatNumberOf(others, "worker")} there, none with it`;
  return `the cells of ${agent} wait for a worker that has it (${there}); start one with: harness worker --queue URL`;
}

function after(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
}
