/** What has changed in a list whose rows have ids, and what else there is to say. */
interface ListChange {
  changed: readonly { id: string }[];
  removed: readonly string[];
}

/** The changes of a list that wait for a reader, as one. Otherwise a reader that does not read would have all of them kept for it. */
export interface GatheredChanges<Change extends ListChange> {
  /** True if nothing was waiting. */
  add(change: Change): boolean;
  /** Everything that was added since the last time: of each row, what it was last. */
  take(): Change | undefined;
}

export function createGatheredChanges<Change extends ListChange>(): GatheredChanges<Change> {
  const rows = new Map<string, Change["changed"][number]>();
  const removed = new Set<string>();
  let waiting: Change | undefined;
  return {
    add(change) {
      for (const id of change.removed) {
        rows.delete(id);
        removed.add(id);
      }
      for (const row of change.changed) {
        removed.delete(row.id);
        rows.set(row.id, row);
      }
      const isFirst = waiting === undefined;
      waiting = { ...waiting, ...change };
      return isFirst;
    },
    take() {
      const taken = waiting && { ...waiting, changed: [...rows.values()], removed: [...removed] };
      rows.clear();
      removed.clear();
      waiting = undefined;
      return taken;
    },
  };
}
