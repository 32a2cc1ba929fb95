import { setImmediate } from "node:timers/promises";
import { HarnessError } from "../errors.js";
import { openSession, type Session } from "./session.js";
import { sessionIds, timeOfId } from "./session-ids.js";

export interface WalkOptions {
  directory: string;
  /** Recordings that began before are left out, and their files are not opened. */
  since?: Date | undefined;
  /** Recordings that began at this time or later are left out, likewise. */
  before?: Date | undefined;
  /** Told of each recording whose sidecar cannot be read. Otherwise those are passed over. */
  onUnreadable?: ((id: string, error: HarnessError) => void) | undefined;
}

/** A recording that may not have been opened yet. */
interface Entry {
  id: string;
  time: number;
  session?: Session;
}

/** So many sidecars are read before others get a turn. */
const readsPerTurn = 200;

/**
 * The recordings, newest first. The time is in the id, so a sidecar is opened only when its turn comes;
 * ids that people chose tell no time, and are opened at once.
 */
export async function* walkSessions(options: WalkOptions): AsyncGenerator<Session> {
  const { directory, since, before, onUnreadable } = options;
  const open = (id: string): Session | undefined => {
    try {
      return openSession(directory, id);
    } catch (error) {
      if (!(error instanceof HarnessError)) throw error;
      onUnreadable?.(id, error);
      return undefined;
    }
  };
  let reads = 0;
  for (const entry of newestFirst(sessionIds(directory), open)) {
    if (since !== undefined && entry.time < since.getTime()) return;
    if (before !== undefined && entry.time >= before.getTime()) continue;
    const session = entry.session ?? open(entry.id);
    if (session !== undefined) yield session;
    reads += 1;
    if (reads % readsPerTurn === 0) await setImmediate();
  }
}

function newestFirst(ids: readonly string[], open: (id: string) => Session | undefined): Entry[] {
  const entries: Entry[] = [];
  for (const id of ids) {
    const time = timeOfId(id);
    if (time !== undefined) {
      entries.push({ id, time });
      continue;
    }
    const session = open(id);
    if (session !== undefined) entries.push({ id, time: Date.parse(session.meta.startedAt), session });
  }
  return entries.sort((a, b) => b.time - a.time || (a.id < b.id ? 1 : -1));
}
