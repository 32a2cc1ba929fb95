import type { Redis } from "ioredis";
import * as v from "valibot";
import { parseOwnJson } from "../../text/parse-json.js";

/** A worker as it announces itself. Workers of every version do it the same way, so that they can be named. */
export const AnnouncedWorker = v.object({
  id: v.string(),
  name: v.string(),
  /** The version of harness. */
  version: v.string(),
  protocol: v.number(),
  host: v.string(),
  pid: v.number(),
  /** The agents that it has, with their versions where they report one. */
  agents: v.record(v.string(), v.nullable(v.string())),
  /** How many cells it carries out at once, and how many it does now. */
  concurrency: v.number(),
  running: v.number(),
  /** It takes no more cells. */
  isDraining: v.boolean(),
  /** The load of the machine: the average of the last minute for each processor. */
  load: v.number(),
  startedAt: v.string(),
});
export type AnnouncedWorker = v.InferOutput<typeof AnnouncedWorker>;

/** A batch as it announces itself to workers. */
export const AnnouncedBatch = v.object({
  id: v.string(),
  name: v.string(),
  version: v.string(),
  protocol: v.number(),
  host: v.string(),
  /** The agents of its arms. */
  agents: v.array(v.string()),
});
export type AnnouncedBatch = v.InferOutput<typeof AnnouncedBatch>;

const kinds = { worker: AnnouncedWorker, batch: AnnouncedBatch } as const;
interface Announced {
  worker: AnnouncedWorker;
  batch: AnnouncedBatch;
}
type Kind = keyof Announced;

/** How often everybody announces itself, and after how long without it somebody is gone. */
export const heartbeatMs = 5000;
const goneMs = 4 * heartbeatMs;

export async function announceEntry<K extends Kind>(
  redis: Redis,
  kind: K,
  entry: Announced[K],
): Promise<void> {
  await redis
    .pipeline()
    .sadd(setOf(kind), entry.id)
    .set(keyOf(kind, entry.id), JSON.stringify(entry), "PX", goneMs)
    .exec();
}

export async function withdraw(redis: Redis, kind: Kind, id: string): Promise<void> {
  await redis.pipeline().srem(setOf(kind), id).del(keyOf(kind, id)).exec();
}

/** Who is there. What cannot be read, such as an entry of a version to come, is left out. */
export async function listAnnounced<K extends Kind>(redis: Redis, kind: K): Promise<Announced[K][]> {
  const ids = await redis.smembers(setOf(kind));
  if (ids.length === 0) return [];
  const texts = await redis.mget(ids.map((id) => keyOf(kind, id)));
  const gone = ids.filter((_, index) => texts[index] === null);
  if (gone.length > 0) await redis.srem(setOf(kind), ...gone);
  return texts.flatMap((text) => {
    const parsed = v.safeParse(kinds[kind], text === null ? undefined : parseOwnJson(text));
    return parsed.success ? [parsed.output as Announced[K]] : [];
  });
}

const setOf = (kind: Kind) => `harness:${kind}s`;
const keyOf = (kind: Kind, id: string) => `harness:${kind}:${id}`;
