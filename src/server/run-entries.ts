import type { Recording } from "../runs/archive/recording.js";
import { isFinished } from "../runs/archive/recording-index.js";
import type { KnownRuns } from "./known-runs.js";
import type { RunRow } from "./protocol.js";
import type { RunChanges } from "./run-changes.js";
import { type OwnKind, toRow } from "./run-row.js";

/** What is remembered of a run. */
export interface RunEntry {
  row: RunRow;
  recording: Recording;
  /** Ends following a run that is under way. */
  stop?: AbortController;
  isSummarized: boolean;
}

/** Remembers the runs that have not ended, and the newest ones. */
export interface RunEntries {
  all(): RunEntry[];
  get(id: string): RunEntry | undefined;
  /** True until the entry is replaced or forgotten. */
  isCurrent(entry: RunEntry): boolean;
  /** The row of a run. A finished run is read from its recording and not remembered. */
  row(id: string): RunRow | undefined;
  /** The row of a run, which is remembered from now on even if it has ended. */
  keep(id: string): RunRow | undefined;
  setRow(entry: RunEntry, row: RunRow): void;
  /** Reads a recording again and notes what has changed. */
  refresh(id: string): void;
  refreshUnfinished(): void;
  forget(id: string): void;
}

export interface RunEntriesOptions {
  known: KnownRuns;
  changes: RunChanges;
  /** Undefined for a run that was started elsewhere. */
  ownKind(id: string): OwnKind | undefined;
  /** Called for a run under way that is remembered while somebody listens. */
  onRunning(entry: RunEntry): void;
}

export function createRunEntries({ known, changes, ownKind, onRunning }: RunEntriesOptions): RunEntries {
  const entries = new Map<string, RunEntry>();

  function remember(recording: Recording, before?: RunRow): RunRow {
    const { id, outcome } = recording;
    const row = toRow(recording, outcome === "running" ? ownKind(id) : undefined);
    const entry: RunEntry = { recording, row, isSummarized: row.files !== undefined };
    // The last known number stays until the finished run is summarized.
    if (before?.files !== undefined && row.files === undefined) row.files = before.files;
    entries.set(id, entry);
    if (outcome === "running" && changes.hasListeners) onRunning(entry);
    return row;
  }

  function setRow(entry: RunEntry, row: RunRow): void {
    entry.row = row;
    changes.changed(entry.recording.id);
  }

  function update(recording: Recording): void {
    const { id, outcome } = recording;
    const before = entries.get(id);
    if (before !== undefined && before.recording.outcome === outcome && !hasEnded(recording)) {
      const { stopping, isAnswerable } = toRow(recording, ownKind(id));
      if (stopping !== undefined && before.row.stopping !== stopping)
        setRow(before, { ...before.row, stopping });
      // A session offers its control a moment after it began.
      if (isAnswerable && !before.row.isAnswerable) setRow(before, { ...before.row, isAnswerable });
      return;
    }
    before?.stop?.abort();
    remember(recording, before?.row);
    changes.changed(id);
  }

  function forget(id: string): void {
    entries.get(id)?.stop?.abort();
    entries.delete(id);
    changes.removed(id);
  }

  function refresh(id: string): void {
    const wasKnown = known.has(id);
    const recording = known.open(id);
    if (recording !== undefined) update(recording);
    else if (wasKnown || entries.has(id)) forget(id);
  }

  function rowOf(id: string, isKept: boolean): RunRow | undefined {
    const entry = entries.get(id);
    if (entry !== undefined) return entry.row;
    const recording = known.open(id);
    if (recording === undefined) return undefined;
    return hasEnded(recording) && !isKept ? toRow(recording) : remember(recording);
  }

  return {
    all: () => [...entries.values()],
    get: (id) => entries.get(id),
    isCurrent: (entry) => entries.get(entry.recording.id) === entry,
    row: (id) => rowOf(id, false),
    keep: (id) => rowOf(id, true),
    setRow,
    refresh,
    refreshUnfinished() {
      for (const { recording } of [...entries.values()]) if (!hasEnded(recording)) refresh(recording.id);
    },
    forget,
  };
}

function hasEnded({ meta }: Recording): boolean {
  return isFinished(meta);
}
