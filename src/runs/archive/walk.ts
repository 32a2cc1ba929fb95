import { setImmediate } from "node:timers/promises";
import { HarnessError } from "../../errors.js";
import { timeOfId } from "../run-id.js";
import { removeAbandonedDrafts } from "./index-file.js";
import type { IndexFacts } from "./index-format.js";
import type { Session } from "./recording.js";
import { namesIn, newestFirst } from "./recording-ids.js";
import { createSessionIndex } from "./recording-index.js";

export interface WalkOptions {
  directory: string;
  /** Recordings that began before are left out, and their files are not opened. */
  since?: Date | undefined;
  /** Recordings that began at this time or later are left out, likewise. */
  before?: Date | undefined;
  /** Told of each recording whose sidecar cannot be read. Otherwise those are passed over. */
  onUnreadable?: ((id: string, error: HarnessError) => void) | undefined;
}

export interface WalkFilter {
  /** False: a finished recording of which this is known is left out. Others are for the caller to leave out. */
  mayMatch?: ((facts: IndexFacts) => boolean) | undefined;
}

/** So many recordings are looked at before others get a turn. */
const looksPerTurn = 200;

/**
 * The recordings, newest first. The time is in the id, so a sidecar is opened only when its turn comes, and not at all when
 * the index has it. Ids that people chose tell no time: unless the index does, they are opened at once.
 */
export async function* walkSessions(options: WalkOptions & WalkFilter): AsyncGenerator<Session> {
  const { directory, since, before, onUnreadable, mayMatch } = options;
  const index = createSessionIndex(directory);
  const open = (id: string): Session | undefined => {
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
      const session = open(id);
      if (session !== undefined) yield session;
      looks += 1;
      if (looks % looksPerTurn === 0) await setImmediate();
    }
  } finally {
    index.save(ids);
    index.close();
  }
}

function openedTime(session: Session | undefined): number | undefined {
  return session && Date.parse(session.meta.startedAt);
}
