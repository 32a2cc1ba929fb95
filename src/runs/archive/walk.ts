import { setImmediate } from "node:timers/promises";
import { HarnessError } from "../../errors.js";
import { timeOfId } from "../../events/run-id.js";
import { removeAbandonedDrafts } from "./index-file.js";
import type { IndexFacts } from "./index-format.js";
import type { Recording } from "./recording.js";
import { namesIn, newestFirst } from "./recording-ids.js";
import { createRecordingIndex } from "./recording-index.js";

export interface WalkOptions {
  directory: string;
  /** Recordings that began before this time are left out, and their files are not opened. */
  since?: Date | undefined;
  /** Recordings that began at this time or later are left out, and their files are not opened. */
  before?: Date | undefined;
  /** Called for each recording whose sidecar cannot be read. Such recordings are skipped. */
  onUnreadable?: ((id: string, error: HarnessError) => void) | undefined;
}

export interface WalkFilter {
  /** False: the finished recording with these facts is left out. The caller filters all others. */
  mayMatch?: ((facts: IndexFacts) => boolean) | undefined;
}

/** Recordings visited before other work gets a turn. */
const looksPerTurn = 200;

/**
 * The recordings, newest first. The id contains the time, so a sidecar is opened only when its turn comes, and not at all if
 * the index has it. Ids that people chose contain no time: if the index has no time for them either, they are opened at once.
 */
export async function* walkRecordings(options: WalkOptions & WalkFilter): AsyncGenerator<Recording> {
  const { directory, since, before, onUnreadable, mayMatch } = options;
  const index = createRecordingIndex(directory);
  const open = (id: string): Recording | undefined => {
    try {
      return index.open(id);
    } catch (error) {
      if (!(error instanceof HarnessError)) throw error;
      onUnreadable?.(id, error);
      return undefined;
    }
  };
  const timeOfChosen = (id: string): number | undefined => index.facts(id)?.time ?? openedTime(open(id));
  const timeOf = (id: string): number => timeOfId(id) ?? timeOfChosen(id) ?? Number.NaN;
  const { ids, drafts } = namesIn(directory);
  removeAbandonedDrafts(directory, drafts);
  try {
    let looks = 0;
    for (const id of newestFirst(ids, timeOfChosen)) {
      if (since !== undefined && timeOf(id) < since.getTime()) return;
      if (before !== undefined && timeOf(id) >= before.getTime()) continue;
      const facts = mayMatch && index.facts(id);
      if (facts !== undefined && mayMatch?.(facts) === false) continue;
      const recording = open(id);
      if (recording !== undefined) yield recording;
      looks += 1;
      if (looks % looksPerTurn === 0) await setImmediate();
    }
  } finally {
    index.save(ids);
    index.close();
  }
}

function openedTime(recording: Recording | undefined): number | undefined {
  return recording && Date.parse(recording.meta.startedAt);
}
