import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { batchPlaces } from "../../batch/places.js";
import { HarnessError, messageOf } from "../../errors.js";
import { isRunId } from "../../events/run-id.js";
import type { BatchesChange, BatchList, BatchRow } from "../batch-protocol.js";
import { type BatchCache, createBatchCache } from "./batch-cache.js";
import { toBatchAbout, toBatchRow } from "./batch-row.js";
import { type FollowedBatch, isBatchHeld } from "./followed-batch.js";

/** How often the ledgers are looked at while somebody listens: a system call or two for each batch. */
const pollMs = 500;

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

export function createBatchIndex(directory: string): BatchIndex {
  const listeners = new Set<(change: BatchesChange) => void>();
  const cache = createBatchCache(directory);
  const rows = createBatchRows(directory, cache, (change) => {
    for (const listener of listeners) listener(change);
  });
  let hasReadAll = false;
  let refreshing: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  function refresh(): Promise<void> {
    refreshing ??= rows
      .readAll()
      .then(() => {
        hasReadAll = true;
      })
      .finally(() => {
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
    list: () => ({ ...rows.list(), directory, isAll: hasReadAll }),
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
      const batch = cache.take(id);
      try {
        await batch.update();
        return await use(batch);
      } finally {
        cache.putBack(id);
      }
    },
  };
}

/** What is remembered of a batch. */
interface Entry {
  stamp: string;
  row?: BatchRow;
  problem?: string;
}

interface BatchRows {
  list(): Pick<BatchList, "batches" | "unreadable">;
  /** Reads every ledger that is new or has changed, and reports each change. */
  readAll(): Promise<void>;
}

function createBatchRows(
  directory: string,
  cache: BatchCache,
  emit: (change: BatchesChange) => void,
): BatchRows {
  const entries = new Map<string, Entry>();

  async function refresh(id: string): Promise<void> {
    const stamp = stampOf(join(directory, id));
    if (entries.get(id)?.stamp === stamp) return;
    const batch = cache.take(id);
    await batch.update();
    const entry: Entry = { stamp, ...toEntry(batch) };
    entries.set(id, entry);
    // A batch under way is read again soon.
    cache.putBack(id, entry.row?.phase === "running");
    if (entry.row !== undefined) emit({ changed: [entry.row], removed: [] });
  }

  return {
    list() {
      const all = [...entries];
      return {
        batches: all.flatMap(([, { row }]) => row ?? []).sort(newestFirst),
        unreadable: all.flatMap(([id, { problem }]) =>
          problem === undefined ? [] : { id, message: problem },
        ),
      };
    },
    async readAll() {
      const ids = batchIds(directory);
      const existing = new Set(ids);
      const removed = [...entries.keys()].filter((id) => !existing.has(id));
      for (const id of removed) {
        entries.delete(id);
        cache.drop(id);
      }
      if (removed.length > 0) emit({ changed: [], removed });
      for (const id of ids) {
        await refresh(id);
        // Other requests get their turn between two ledgers.
        await setImmediate();
      }
    },
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
