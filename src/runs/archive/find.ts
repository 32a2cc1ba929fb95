import { lstatSync } from "node:fs";
import { HarnessError } from "../../errors.js";
import { didYouMean } from "../../text/suggest.js";
import { defaultSessionsDirectory, recordingPaths } from "../recording/paths.js";
import { isRunId } from "../run-id.js";
import { listSessions } from "./list.js";
import { openSession, type Session } from "./recording.js";
import { sessionIds } from "./recording-ids.js";

export interface Place {
  /** Where recordings are kept. Default: the user's data directory. */
  directory?: string | undefined;
}

/** Stands for the newest recording wherever an id is asked for. */
export const newest = "last";

const shownCandidates = 10;

/** The recording with this id, with the only id that begins so, or the newest (`last`). */
export async function findSession(id: string, options: Place = {}): Promise<Session> {
  const { directory = defaultSessionsDirectory() } = options;
  return openSession(directory, await findSessionId(id, directory));
}

/** As `findSession`, for recordings that cannot be read as well. */
export async function findSessionId(id: string, directory: string): Promise<string> {
  if (hasSidecar(directory, id)) return id;
  const ids = sessionIds(directory);
  if (ids.includes(id)) return id;
  if (id === newest) return newestId(directory);
  const candidates = id === "" ? [] : ids.filter((candidate) => candidate.startsWith(id));
  const [found] = candidates;
  if (found === undefined) throw unknown(id, ids, directory);
  if (candidates.length > 1) throw ambiguous(id, candidates, directory);
  return found;
}

/** A whole id needs no look at all the others. */
function hasSidecar(directory: string, id: string): boolean {
  const path = recordingPaths(directory, id).meta;
  return isRunId(id) && lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

async function newestId(directory: string): Promise<string> {
  const [session] = await listSessions({ directory, limit: 1 });
  if (session !== undefined) return session.id;
  throw new HarnessError(
    "unknown_session",
    `there is no recording in ${directory} yet; \`harness run\` and \`harness demo\` make them`,
  );
}

function unknown(id: string, ids: readonly string[], directory: string): HarnessError {
  const next =
    ids.length === 0 ? `there is none in ${directory}` : "`harness sessions list` shows which there are";
  return new HarnessError(
    "unknown_session",
    `no recording has the id "${id}"${didYouMean(id, ids)} (${next})`,
  );
}

function ambiguous(id: string, candidates: readonly string[], directory: string): HarnessError {
  const lines = [...candidates]
    .sort()
    .reverse()
    .slice(0, shownCandidates)
    .map((candidate) => `  ${candidate}${describe(directory, candidate)}`);
  if (candidates.length > shownCandidates) lines.push(`  and ${candidates.length - shownCandidates} more`);
  const message = `"${id}" is the beginning of ${candidates.length} ids; give more of it:\n${lines.join("\n")}`;
  return new HarnessError("ambiguous_session", message);
}

function describe(directory: string, id: string): string {
  try {
    const { meta, outcome } = openSession(directory, id);
    return `  ${meta.agent}, ${outcome}`;
  } catch {
    return "";
  }
}
