import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { batchPlaces } from "../../batch/places.js";
import { HarnessError, messageOf } from "../../errors.js";
import { isRunId } from "../../events/run-id.js";
import type { BatchesChange, BatchList, BatchRow } from "../batch-protocol.js";
import { toBatchAbout, toBatchRow } from "./batch-row.js";
import { type FollowedBatch, followBatch, isBatchHeld } from "./followed-batch.js";

/** How often the ledgers are looked at while somebody listens: a system call or two for each batch. */
const pollMs = 500;
/** Batches that nobody uses any more stay in memory until there are more of them than this. */
const keptUnused = 2;

/** The batches of a directory. It is watched only while somebody listens. */
export interface BatchIndex {
  readonly directory: string;
  /** What is known now. */
  list(): BatchList;
  /** Reads every ledger that is new or has changed. */
  refresh(): Promise<void>;
  /** Calls the listener whenever batches change, until the returned function is called. */
  watch(listener: (change: BatchesChange) => void): () => void;
  /** Calls `use` with a batch that has been read. Throws a `HarnessError` if there is none, or it cannot be read. */
  open<T>(id: string, use: (batch: FollowedBatch) => Promise<T>): Promise<T>;
}

/** What is remembered of a batch. */
interface Entry {
  stamp: string;
  row?: BatchRow;
  problem?: string;
}

export function createBatchIndex(directory: string): BatchIndex {
  const entries = new Map<string, Entry>();
  const listeners = new Set<(change: BatchesChange) => void>();
  const shelf = createShelf(directory);
  let hasReadAll = false;
  let refreshing: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  async function refreshOne(id: string): Promise<void> {
    const stamp = stampOf(join(directory, id));
    const known = entries.get(id);
    if (known?.stamp === stamp) return;
    const batch = shelf.take(id);
    try {
      await batch.update();
      entries.set(id, { stamp, ...toEntry(batch) });
    } finally {
      // A batch under way is read again soon.
      shelf.putBack(id, entries.get(id)?.row?.phase === "running");
    }
    const row = entries.get(id)?.row;
    if (row !== undefined) emit({ changed: [row], removed: [] });
  }

  async function readAll(): Promise<void> {
    const ids = batchIds(directory);
    const existing = new Set(ids);
    const removed = [...entries.keys()].filter((id) => !existing.has(id));
    for (const id of removed) {
      entries.delete(id);
      shelf.drop(id);
    }
    if (removed.length > 0) emit({ changed: [], removed });
    for (const id of ids) {
      await refreshOne(id);
      // Other requests get their turn between two ledgers.
      await setImmediate();
    }
    hasReadAll = true;
  }

  function emit(change: BatchesChange): void {
    for (const listener of listeners) listener(change);
  }

  function refresh(): Promise<void> {
    refreshing ??= readAll().finally(() => {
      refreshing = undefined;
    });
    return refreshing;
  }

  function poll(): void {
    timer = setTimeout(() => {
      void refresh().finally(() => listeners.size > 0 && poll());
    }, pollMs).unref();
  }

  return {
    directory,
    refresh,
    list() {
      const all = [...entries];
      return {
        batches: all.flatMap(([, { row }]) => row ?? []).sort(newestFirst),
        unreadable: all.flatMap(([id, { problem }]) =>
          problem === undefined ? [] : { id, message: problem },
        ),
        directory,
        isAll: hasReadAll,
      };
    },
    watch(listener) {
      listeners.add(listener);
      if (listeners.size === 1) poll();
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) clearTimeout(timer);
      };
    },
    async open(id, use) {
      if (!isRunId(id) || !isBatch(directory, id))
        throw new HarnessError("unknown_batch", "there is no batch with this id");
      const batch = shelf.take(id);
      try {
        await batch.update();
        return await use(batch);
      } finally {
        shelf.putBack(id);
      }
    },
  };
}

interface Shelf {
  /** The batch, which stays in memory until it was put back as often as it was taken. */
  take(id: string): FollowedBatch;
  /** `isKept`: it stays in memory nevertheless. */
  putBack(id: string, isKept?: boolean): void;
  drop(id: string): void;
}

/** The batches that are in memory: those in use, those under way, and a few more. */
function createShelf(directory: string): Shelf {
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

/** A plan that no harness has checked may have anything in place of names and lists. */
function toEntry(batch: FollowedBatch): Omit<Entry, "stamp"> {
  const { state, problems } = batch;
  if (state === undefined) return { problem: problems[0] ?? "the ledger is empty" };
  try {
    toBatchAbout(batch, state);
    return { row: toBatchRow(batch, state) };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}

function newestFirst(a: BatchRow, b: BatchRow): number {
  return a.startedAt < b.startedAt ? 1 : a.startedAt > b.startedAt ? -1 : 0;
}

/** Directories with a ledger. Newer ids come first, so that the newest batches are read first. */
function batchIds(directory: string): string[] {
  try {
    const names = readdirSync(directory).filter((name) => isRunId(name) && isBatch(directory, name));
    return names.sort().reverse();
  } catch {
    return [];
  }
}

/** Links are not followed. */
function isBatch(directory: string, id: string): boolean {
  const place = join(directory, id);
  if (lstatSync(place, { throwIfNoEntry: false })?.isDirectory() !== true) return false;
  return lstatSync(batchPlaces(place).ledger, { throwIfNoEntry: false }) !== undefined;
}

/** Differs whenever the row of a batch may be another one: its ledger has grown, or its harness is gone. */
function stampOf(directory: string): string {
  const stat = lstatSync(batchPlaces(directory).ledger, { throwIfNoEntry: false });
  return `${stat?.size} ${stat?.mtimeMs} ${stat?.ino} ${isBatchHeld(directory)}`;
}
