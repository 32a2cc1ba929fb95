import { lstatSync } from "node:fs";
import { HarnessError } from "../../errors.js";
import { isRunId } from "../../events/run-id.js";
import { didYouMean } from "../../text/suggest.js";
import { defaultRecordingsDirectory, recordingPaths } from "../recording/paths.js";
import { listRecordings } from "./list.js";
import { openRecording, type Recording } from "./recording.js";
import { recordingIds } from "./recording-ids.js";

export interface Place {
  /** Where recordings are kept. Default: the user's data directory. */
  directory?: string | undefined;
}

/** Means the newest recording wherever an id is expected. Runs of a batch only count if there are no others. */
export const newest = "last";

const shownCandidates = 10;

/** Finds a recording by its id, by any unique prefix of its id, or the newest one (`last`). */
export async function findRecording(id: string, options: Place = {}): Promise<Recording> {
  const { directory = defaultRecordingsDirectory() } = options;
  return openRecording(directory, await findRecordingId(id, directory));
}

/** Like `findRecording`, but it also finds recordings that cannot be read. */
export async function findRecordingId(id: string, directory: string): Promise<string> {
  if (hasSidecar(directory, id)) return id;
  const ids = recordingIds(directory);
  if (ids.includes(id)) return id;
  if (id === newest) return newestId(directory);
  const candidates = id === "" ? [] : ids.filter((candidate) => candidate.startsWith(id));
  const [found] = candidates;
  if (found === undefined) throw unknown(id, ids, directory);
  if (candidates.length > 1) throw ambiguous(id, candidates, directory);
  return found;
}

/** A full id is found without listing the directory. */
function hasSidecar(directory: string, id: string): boolean {
  const path = recordingPaths(directory, id).meta;
  return isRunId(id) && lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

async function newestId(directory: string): Promise<string> {
  const [own] = await listRecordings({ directory, batch: false, limit: 1 });
  const [recording] = own === undefined ? await listRecordings({ directory, limit: 1 }) : [own];
  if (recording !== undefined) return recording.id;
  throw new HarnessError(
    "unknown_session",
    `there is no recording in ${directory} yet; \`harness run\` and \`harness demo\` create them`,
  );
}

function unknown(id: string, ids: readonly string[], directory: string): HarnessError {
  const next = ids.length === 0 ? `there is none in ${directory}` : "`harness sessions list` shows all ids";
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
  const message = `${candidates.length} ids begin with "${id}"; give more of the id:\n${lines.join("\n")}`;
  return new HarnessError("ambiguous_session", message);
}

function describe(directory: string, id: string): string {
  try {
    const { meta, outcome } = openRecording(directory, id);
    return `  ${meta.agent}, ${outcome}`;
  } catch {
    return "";
  }
}
