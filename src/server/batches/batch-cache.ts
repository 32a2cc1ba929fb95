import { join } from "node:path";
import { type FollowedBatch, followBatch } from "./followed-batch.js";

/** Batches that nobody uses any more stay in memory until there are more of them than this. */
const keptUnused = 2;

/** The batches that are in memory: those in use, those under way, and a few more. */
export interface BatchCache {
  /** The batch, which stays in memory until it was put back as often as it was taken. */
  take(id: string): FollowedBatch;
  /** `isKept`: it stays in memory nevertheless. */
  putBack(id: string, isKept?: boolean): void;
  drop(id: string): void;
}

export function createBatchCache(directory: string): BatchCache {
  const held = new Map<string, { batch: FollowedBatch; users: number; isKept: boolean }>();
  return {
    take(id) {
      const found = held.get(id) ?? { batch: followBatch(id, join(directory, id)), users: 0, isKept: false };
      found.users += 1;
      // The last one in the map is the one that was used last.
      held.delete(id);
      held.set(id, found);
      return found.batch;
    },
    putBack(id, isKept) {
      const found = held.get(id);
      if (found === undefined) return;
      found.users -= 1;
      found.isKept = isKept ?? found.isKept;
      const unused = [...held].filter(([, { users, isKept }]) => users === 0 && !isKept);
      for (const [each] of unused.slice(0, -keptUnused)) held.delete(each);
    },
    drop: (id) => void held.delete(id),
  };
}
