import { join } from "node:path";
import { type Environment, userDirectory } from "../files/user-directory.js";

/** Where the files of one recording are. */
export interface RecordingPaths {
  /** The unified stream. */
  ndjson: string;
  meta: string;
  folder: string;
  raw: string;
  events: string;
  /** Absent on disk if there was no git workspace. */
  patch: string;
}

export function recordingPaths(sessionsDirectory: string, runId: string): RecordingPaths {
  const folder = join(sessionsDirectory, runId);
  return {
    ndjson: `${folder}.ndjson`,
    meta: `${folder}.meta.json`,
    folder,
    raw: join(folder, rawFileName),
    events: join(folder, eventsFileName),
    patch: join(folder, patchFileName),
  };
}

/** The sidecar of the recording whose `.ndjson` this is. */
export function metaBeside(ndjson: string): string {
  return ndjson.replace(/\.ndjson$/, ".meta.json");
}

export const rawFileName = "raw.jsonl";
export const eventsFileName = "events.jsonl";
/** What the run changed, for `git apply`. Only in a git workspace. */
export const patchFileName = "changes.patch";

/** The default place of recordings. */
export function defaultRecordingsDirectory(env: Environment = process.env): string {
  return join(userDirectory("data", env), "sessions");
}
