import { availableParallelism, hostname, loadavg } from "node:os";
import { cleanText } from "../../text/clean-text.js";
import type { QueueConnection } from "./connection.js";
import type { FoundAgents } from "./find-agents.js";
import { keys, queueProtocol } from "./protocol.js";
import { type AnnouncedBatch, announceEntry, heartbeatMs, listAnnounced, withdraw } from "./registry.js";
import type { FetchedSources } from "./ship-sources.js";
import type { Slots } from "./slots.js";

export interface QueueWatchOptions {
  connection: QueueConnection;
  version: string;
  found: FoundAgents;
  id: string;
  name: string;
  concurrency: number;
  slots: Slots;
  /** The batches of the cells under way. */
  batches(): ReadonlySet<string>;
  sources: FetchedSources;
  onCancelled(batchId: string): void;
  onNotice(sentence: string): void;
}

export interface QueueWatch {
  /** Announces that the worker takes no more cells. */
  drain(): void;
  close(): Promise<void>;
}

/** Announces the worker, hears of cancelled batches, and says which batches it cannot serve. */
export async function watchQueue(options: QueueWatchOptions): Promise<QueueWatch> {
  const { connection, onCancelled } = options;
  const { redis } = connection;
  const startedAt = new Date().toISOString();
  let isDraining = false;
  let isClosed = false;
  const mismatches = createMismatches(options);

  const listener = redis.duplicate();
  listener.on("error", () => {});
  listener.on("message", (_channel, batchId) => onCancelled(batchId));
  await listener.subscribe(keys.cancelChannel);

  const beat = async () => {
    const { id, name, version, concurrency, slots, found } = options;
    await announceEntry(redis, "worker", {
      id,
      name,
      version,
      protocol: queueProtocol,
      host: hostname(),
      pid: process.pid,
      agents: { ...found.agents },
      concurrency,
      running: slots.running,
      isDraining,
      load: (loadavg()[0] ?? 0) / availableParallelism(),
      startedAt,
    });
    mismatches.look(await listAnnounced(redis, "batch"));
    // A message is lost if the connection was down when it was sent.
    for (const batchId of options.batches())
      if ((await redis.exists(keys.cancelled(batchId))) === 1) onCancelled(batchId);
    for (const batchId of [...options.sources.batches()])
      if ((await redis.exists(keys.head(batchId))) === 0 && !options.batches().has(batchId))
        await options.sources.remove(batchId);
  };
  await beat();
  let beating = false;
  const timer = setInterval(() => {
    if (beating || isClosed || !connection.isUp()) return;
    beating = true;
    beat()
      .catch(() => {})
      .finally(() => {
        beating = false;
      });
  }, heartbeatMs);
  return {
    drain() {
      isDraining = true;
    },
    async close() {
      isClosed = true;
      clearInterval(timer);
      listener.disconnect();
      if (connection.isUp()) await withdraw(redis, "worker", options.id).catch(() => {});
    },
  };
}

/** Each sentence once. */
function createMismatches({ version, found, onNotice }: QueueWatchOptions) {
  const said = new Set<string>();
  const say = (sentence: string) => {
    if (said.has(sentence)) return;
    said.add(sentence);
    onNotice(sentence);
  };
  return {
    look(batches: readonly AnnouncedBatch[]) {
      for (const batch of batches) {
        const name = cleanText(batch.name);
        if (batch.version !== version || batch.protocol !== queueProtocol) {
          say(
            `the batch "${name}" was started by harness ${cleanText(batch.version)}, and this worker is harness ${version}; it takes none of its cells`,
          );
          continue;
        }
        for (const agent of batch.agents.filter((one) => !(one in found.agents)))
          say(
            `the batch "${name}" has cells for ${cleanText(agent)}, which this worker does not take: ${found.problems[agent] ?? "it does not know this agent"}`,
          );
      }
    },
  };
}
