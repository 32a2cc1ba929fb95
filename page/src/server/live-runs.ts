import { computed, signal } from "@preact/signals";
import type { RunList, RunRow, RunsChange, UnreadableRun } from "../../../src/view/protocol.js";
import { openStream } from "./stream.js";

const rows = signal<ReadonlyMap<string, RunRow>>(new Map());
export const unreadable = signal<readonly UnreadableRun[]>([]);
export const directory = signal("");
export const hasLoaded = signal(false);

/** Newest first. */
export const runs = computed(() =>
  [...rows.value.values()].sort((a, b) =>
    a.startedAt < b.startedAt ? 1 : a.startedAt > b.startedAt ? -1 : 0,
  ),
);

export function findRow(id: string): RunRow | undefined {
  return rows.value.get(id);
}

/** For as long as the page is open. */
export function watchRuns(): void {
  openStream<{ list: RunList; change: RunsChange }>("/api/live", {
    list(list) {
      rows.value = new Map(list.runs.map((row) => [row.id, row]));
      unreadable.value = list.unreadable;
      directory.value = list.directory;
      hasLoaded.value = true;
    },
    change(change) {
      const next = new Map(rows.value);
      for (const row of change.changed) next.set(row.id, row);
      for (const id of change.removed) next.delete(id);
      rows.value = next;
      if (change.unreadable !== undefined) unreadable.value = change.unreadable;
    },
  });
}
