import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

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

/** The default place of recordings. As XDG requires, a relative path in the variable is ignored. */
export function defaultRecordingsDirectory(
  env: Readonly<Record<string, string | undefined>> = process.env,
): string {
  const data = env["XDG_DATA_HOME"];
  const base = data !== undefined && isAbsolute(data) ? data : join(homedir(), ".local", "share");
  return join(base, "harness", "sessions");
}
