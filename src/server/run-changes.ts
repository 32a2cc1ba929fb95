import type { RunRow, RunsChange, UnreadableRun } from "./protocol.js";

/** Gathers what has changed in the list, and sends it to all listeners. */
export interface RunChanges {
  readonly hasListeners: boolean;
  listen(listener: (change: RunsChange) => void): () => void;
  changed(id: string): void;
  removed(id: string): void;
  /** The set of recordings that cannot be read has changed. */
  unreadableChanged(): void;
  /** Sends what was gathered now (0), or in `delay` milliseconds together with what is added until then. */
  emit(delay: number): void;
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
  let timer: NodeJS.Timeout | undefined;

  function send(): void {
    clearTimeout(timer);
    timer = undefined;
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
        clearTimeout(timer);
        timer = undefined;
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
    emit(delay) {
      if (changed.size === 0 && removed.size === 0 && !hasNewProblems) return;
      if (delay === 0) send();
      else timer ??= setTimeout(send, delay).unref();
    },
  };
}
