import type { RunRow, RunsChange, UnreadableRun } from "./protocol.js";

/** Gathers what has changed in the list, and tells it to whoever listens. */
export interface RunChanges {
  readonly hasListeners: boolean;
  listen(listener: (change: RunsChange) => void): () => void;
  changed(id: string): void;
  removed(id: string): void;
  /** There are more or fewer recordings that cannot be read. */
  unreadableChanged(): void;
  /** At once, or together with what comes within `delay` milliseconds. */
  tell(delay: number): void;
}

export interface RunChangesOptions {
  row(id: string): RunRow | undefined;
  unreadable(): UnreadableRun[];
}

export function createRunChanges({ row, unreadable }: RunChangesOptions): RunChanges {
  const listeners = new Set<(change: RunsChange) => void>();
  const changed = new Set<string>();
  const removed = new Set<string>();
  let hasNewProblems = false;
  let telling: NodeJS.Timeout | undefined;

  function tellNow(): void {
    clearTimeout(telling);
    telling = undefined;
    const rows = [...changed].flatMap((id) => row(id) ?? []);
    const change: RunsChange = { changed: rows, removed: [...removed] };
    if (hasNewProblems) change.unreadable = unreadable();
    changed.clear();
    removed.clear();
    hasNewProblems = false;
    for (const listener of listeners) listener(change);
  }

  return {
    get hasListeners() {
      return listeners.size > 0;
    },
    listen(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        clearTimeout(telling);
        telling = undefined;
      };
    },
    changed: (id) => void changed.add(id),
    removed(id) {
      changed.delete(id);
      removed.add(id);
    },
    unreadableChanged() {
      hasNewProblems = true;
    },
    tell(delay) {
      if (changed.size === 0 && removed.size === 0 && !hasNewProblems) return;
      if (delay === 0) tellNow();
      else telling ??= setTimeout(tellNow, delay).unref();
    },
  };
}
