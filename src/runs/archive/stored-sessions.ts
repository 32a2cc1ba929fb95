import { createHash } from "node:crypto";
import type { AgentDefinition } from "../../agents/definition.js";
import { agents } from "../../agents/registry.js";
import type { AboutSession, SessionStore, StoredSession, StorePlace } from "../../agents/store-contract.js";
import type { RecordingMeta } from "../../events/recording-meta.js";
import { startOfId } from "../../events/run-id.js";
import { readMeta } from "../recording/meta.js";
import { recordingPaths } from "../recording/paths.js";
import { listRecordings } from "./list.js";
import { type OpenedStore, openStore } from "./store-reader.js";

/** An agent that keeps sessions, and a directory of them. */
export interface FoundStore {
  agent: AgentDefinition;
  store: SessionStore;
  reader: OpenedStore;
}

/** The agents whose sessions can be imported. */
export function agentsWithStores(): AgentDefinition[] {
  return agents.filter(({ store }) => store !== undefined);
}

/** The stores of an agent that are on this machine. Nothing is written to them. */
export function findStores(agent: AgentDefinition, place: StorePlace): FoundStore[] {
  const { store } = agent;
  if (store === undefined) return [];
  const seen = new Set<string>();
  return store.places(place).flatMap((directory) => {
    const reader = openStore(directory);
    if (reader === undefined || seen.has(reader.directory)) return [];
    seen.add(reader.directory);
    return [{ agent, store, reader }];
  });
}

/** What has become of a stored session, or would become of it. */
export const importStates = ["new", "grown", "unchanged", "recorded", "empty"] as const;
export type ImportState = (typeof importStates)[number];

/** A session in a store, and the recording that it has or would have. */
export interface FoundSession extends FoundStore {
  session: StoredSession;
  about: AboutSession;
  bytes: number;
  modifiedAt: number;
  /** The id of its recording: the same at every import. Undefined if it is empty. */
  runId: string | undefined;
  /**
   * `new`: it was not imported yet. `grown`: it was imported, and has gone on since. `recorded`: harness itself ran it, and has its recording.
   * `empty`: nobody asked for anything in it.
   */
  state: ImportState;
}

/** Which sessions of a store are meant. */
export interface SessionFilter {
  /** Sessions that were used since then. */
  since?: Date | undefined;
  /** The beginning of an id. */
  session?: string | undefined;
  matchesDirectory?: ((cwd: string) => boolean) | undefined;
}

/** The sessions of a store, last used first. It opens the files of those that the filter does not exclude by their names and times. */
export async function listStoredSessions(
  found: FoundStore,
  directory: string,
  filter: SessionFilter = {},
): Promise<FoundSession[]> {
  const { agent, store, reader } = found;
  const recorded = await recordedSessions(agent.id, directory);
  const sessions = [...store.sessions(reader)]
    .map((session) => ({ session, ...sizeOf(session) }))
    .filter(({ modifiedAt }) => filter.since === undefined || modifiedAt >= filter.since.getTime())
    .sort((a, b) => b.modifiedAt - a.modifiedAt);
  return sessions.flatMap(({ session, bytes, modifiedAt }) => {
    const about = store.about(session, store.records(session, reader));
    const ids = [session.id, about.sessionId ?? session.id];
    const asked = filter.session;
    if (asked !== undefined && !ids.some((id) => id.startsWith(asked))) return [];
    if (filter.matchesDirectory?.(about.cwd ?? "") === false) return [];
    const isOurs = asked === undefined && ids.some((id) => recorded.has(id));
    const kept = keptRecording(directory, store.id, session, about);
    const state = stateOf({ about, isOurs, meta: kept?.meta, bytes, modifiedAt });
    return [{ ...found, session, about, bytes, modifiedAt, runId: kept?.runId, state }];
  });
}

function sizeOf({ files }: StoredSession): { bytes: number; modifiedAt: number } {
  return {
    bytes: files.reduce((sum, file) => sum + file.bytes, 0),
    modifiedAt: files.reduce((latest, file) => Math.max(latest, file.modifiedAt), 0),
  };
}

/** The sessions of an agent that harness itself ran and recorded, by the agent's own ids. */
async function recordedSessions(agent: string, directory: string): Promise<ReadonlySet<string>> {
  const own = await listRecordings({ directory, agent });
  return new Set(own.flatMap(({ meta }) => (meta.imported === undefined ? (meta.sessionId ?? []) : [])));
}

function stateOf(given: {
  about: AboutSession;
  isOurs: boolean;
  meta: RecordingMeta | undefined;
  bytes: number;
  modifiedAt: number;
}): ImportState {
  const { about, isOurs, meta, bytes, modifiedAt } = given;
  if (about.prompt === undefined || about.startedAt === undefined) return "empty";
  if (isOurs) return "recorded";
  if (meta === undefined) return "new";
  const before = meta.imported?.source;
  if (before === undefined) return "grown";
  // A store that has less than before was tidied up: the recording keeps what it had.
  const hasMore = bytes > before.bytes || (bytes === before.bytes && modifiedAt > before.modifiedAt);
  return hasMore ? "grown" : "unchanged";
}

/** Other sessions can have the same beginning and the same hash. */
const mostTries = 16;

/** The id of a session's recording, and its sidecar if it was imported before. */
function keptRecording(
  directory: string,
  store: string,
  { id }: StoredSession,
  { startedAt }: AboutSession,
): { runId: string; meta: RecordingMeta | undefined } | undefined {
  if (startedAt === undefined) return undefined;
  for (let attempt = 0; attempt < mostTries; attempt += 1) {
    const runId = startOfId(new Date(startedAt)) + hashOf(`${store} ${id} ${attempt}`);
    const meta = readIfThere(recordingPaths(directory, runId).meta);
    if (meta === undefined || (meta.imported?.store === store && meta.imported.session === id))
      return { runId, meta };
  }
  return undefined;
}

function readIfThere(path: string): RecordingMeta | undefined {
  try {
    return readMeta(path);
  } catch {
    return undefined;
  }
}

/** Four characters, as in the ids of other runs. */
function hashOf(text: string): string {
  const number = createHash("sha256").update(text).digest().readUInt32BE(0);
  return (number % 36 ** 4).toString(36).padStart(4, "0");
}
