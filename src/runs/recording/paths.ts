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
}

export function recordingPaths(sessionsDirectory: string, runId: string): RecordingPaths {
  const folder = join(sessionsDirectory, runId);
  return {
    ndjson: `${folder}.ndjson`,
    meta: `${folder}.meta.json`,
    folder,
    raw: join(folder, rawFileName),
    events: join(folder, eventsFileName),
  };
}

export const rawFileName = "raw.jsonl";
export const eventsFileName = "events.jsonl";

/** The default place of recordings. */
export function defaultRecordingsDirectory(env: Environment = process.env): string {
  return join(userDirectory("data", env), "sessions");
}
