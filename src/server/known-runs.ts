import { lstatSync } from "node:fs";
import { HarnessError } from "../errors.js";
import { isRunId } from "../events/run-id.js";
import type { Recording } from "../runs/archive/recording.js";
import { newestFirst, recordingIds } from "../runs/archive/recording-ids.js";
import { createRecordingIndex } from "../runs/archive/recording-index.js";
import { openPlainRecording } from "./open-plain-recording.js";
import type { UnreadableRun } from "./protocol.js";

/** The recordings of a directory, as they were when they were last read. */
export interface KnownRuns {
  /** Newest first. Recordings that turned out to be unreadable are left out. */
  ids(): readonly string[];
  has(id: string): boolean;
  /** Reads the names in the directory. Returns the ids that are new and those that are gone. */
  scan(): { added: string[]; gone: string[] };
  /** Reads one recording. Undefined: it is gone, or cannot be read. */
  open(id: string): Recording | undefined;
  /** What the index file knows: agent, outcome and beginning of finished runs. */
  facts(id: string): { agent: string; outcome: string; time: number } | undefined;
  unreadable(): UnreadableRun[];
  /** Writes the index file, if enough is new. */
  save(): void;
}

export function createKnownRuns(directory: string, onUnreadableChanged: () => void): KnownRuns {
  const index = createRecordingIndex(directory, openPlainRecording);
  const known = new Set<string>();
  const unreadable = new Map<string, UnreadableRun & { stamp: string }>();
  let sorted: readonly string[] | undefined;

  function add(id: string): void {
    if (known.has(id)) return;
    known.add(id);
    sorted = undefined;
  }

  function remove(id: string): void {
    if (known.delete(id)) sorted = undefined;
  }

  function forgetProblem(id: string): void {
    if (unreadable.delete(id)) onUnreadableChanged();
  }

  function open(id: string): Recording | undefined {
    const stamp = stampOf(directory, id);
    if (stamp === undefined) {
      remove(id);
      forgetProblem(id);
      return undefined;
    }
    if (unreadable.get(id)?.stamp === stamp) return undefined;
    try {
      const recording = index.open(id);
      add(id);
      forgetProblem(id);
      return recording;
    } catch (error) {
      if (!(error instanceof HarnessError)) throw error;
      remove(id);
      unreadable.set(id, { id, message: error.message, stamp });
      onUnreadableChanged();
      return undefined;
    }
  }

  function timeOf(id: string): number | undefined {
    const time = index.facts(id)?.time;
    if (time !== undefined) return time;
    const recording = open(id);
    return recording && Date.parse(recording.meta.startedAt);
  }

  return {
    ids() {
      sorted ??= [...newestFirst([...known], timeOf)];
      return sorted;
    },
    has: (id) => known.has(id),
    scan() {
      const ids = new Set(recordingIds(directory).filter(isRunId));
      const added = [...ids].filter((id) => !known.has(id) && !unreadable.has(id));
      const gone = [...known].filter((id) => !ids.has(id));
      for (const id of added) add(id);
      for (const id of gone) remove(id);
      for (const id of [...unreadable.keys()]) if (!ids.has(id)) forgetProblem(id);
      return { added, gone };
    },
    open,
    facts: index.facts,
    unreadable: () => Array.from(unreadable.values(), ({ id, message }) => ({ id, message })),
    save: () => index.save(known),
  };
}

/** Differs whenever the sidecar has changed. */
function stampOf(directory: string, id: string): string | undefined {
  const stat = lstatSync(`${directory}/${id}.meta.json`, { throwIfNoEntry: false });
  return stat && `${stat.mtimeMs} ${stat.size} ${stat.ino}`;
}
