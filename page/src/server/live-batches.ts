import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type {
  BatchesChange,
  BatchList,
  BatchRow,
  UnreadableBatch,
} from "../../../src/server/batch-protocol.js";
import { openStream } from "./stream.js";

/** Newest first. */
export const batches = signal<readonly BatchRow[]>([]);
export const unreadableBatches = signal<readonly UnreadableBatch[]>([]);
export const batchesDirectory = signal("");
export const hasBatches = signal(false);

/** Keeps the list of batches up to date as long as the component is shown. */
export function useBatches(): void {
  useEffect(() => {
    const stream = openStream<{ list: BatchList; change: BatchesChange }>("/api/batches/live", {
      list(list) {
        batches.value = list.batches;
        unreadableBatches.value = list.unreadable;
        batchesDirectory.value = list.directory;
        hasBatches.value = list.isAll || list.batches.length > 0;
      },
      change({ changed, removed }) {
        const gone = new Set([...removed, ...changed.map(({ id }) => id)]);
        const others = batches.value.filter(({ id }) => !gone.has(id));
        batches.value = [...others, ...changed].sort(newestFirst);
      },
    });
    return stream.close;
  }, []);
}

function newestFirst(a: BatchRow, b: BatchRow): number {
  return a.startedAt < b.startedAt ? 1 : a.startedAt > b.startedAt ? -1 : 0;
}
