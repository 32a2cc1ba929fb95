/**
 * Recorded runs: find, list, read, replay, export, remove.
 *
 * @example
 * import { sessions } from "harness-stream";
 * const [latest] = await sessions.list({ agent: "claude", outcome: "failed", limit: 1 });
 * for await (const event of await sessions.replay("last")) console.log(event.type);
 */
import type { HarnessEvent } from "../vocabulary/event.js";
import { type ExportOptions, exportSession } from "./export.js";
import { findSession, type Place } from "./find.js";
import { listSessions } from "./list.js";
import { pruneSessions, removeSessions } from "./remove.js";
import { type Replay, type ReplayOptions, replaySession } from "./replay.js";
import type { Session } from "./session.js";

export type { ExportOptions } from "./export.js";
export type { Place } from "./find.js";
export type { ListOptions } from "./list.js";
export type { Pruned, PruneOptions } from "./remove.js";
export type { Replay, ReplayOptions } from "./replay.js";
export { type Session, type SessionOutcome, sessionOutcomes } from "./session.js";

/** Wherever an id is taken, so is its beginning when it is the only one that begins so, and `last`. */
export const sessions = {
  /** Newest first. */
  list: listSessions,
  find: findSession,
  /** A recording and all its events. */
  async read(
    id: string,
    options: Place & Pick<ReplayOptions, "agent" | "asRecorded"> = {},
  ): Promise<Session & { events: HarnessEvent[] }> {
    const session = await findSession(id, options);
    const events: HarnessEvent[] = [];
    for await (const event of replaySession(session, options)) events.push(event);
    return { ...session, events };
  },
  /** The events as they came: at once, or with the run's own timing (`speed`). */
  async replay(id: string, options: Place & ReplayOptions = {}): Promise<Replay> {
    return replaySession(await findSession(id, options), options);
  },
  /** A transcript (`markdown`) or a page that opens offline (`html`). */
  async export(id: string, options: Place & ExportOptions): Promise<string> {
    return exportSession(await findSession(id, options), options);
  },
  remove: removeSessions,
  /** Removes what is older than a moment. */
  prune: pruneSessions,
} as const;
