import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { HarnessError, messageOf } from "../../errors.js";
import { defaultRecordingsDirectory, type RecordingPaths, recordingPaths } from "../recording/paths.js";
import { isHeld } from "../recording/recorded-outcome.js";
import { findRecordingId, type Place } from "./find.js";
import { openRecording, type Recording } from "./recording.js";
import { tidyIndex } from "./recording-index.js";
import { walkRecordings } from "./walk.js";

/** Removes recordings: all of them or none. Returns their ids. */
export async function removeRecordings(
  ids: string | readonly string[],
  options: Place = {},
): Promise<string[]> {
  const { directory = defaultRecordingsDirectory() } = options;
  const found = new Set<string>();
  for (const id of [ids].flat()) found.add(await findRecordingId(id, directory));
  for (const id of found) refuseWhileRunning(directory, id);
  for (const id of found) removeFiles(recordingPaths(directory, id));
  tidyIndex(directory);
  return [...found];
}

/** The harness of a run under way would write the sidecar again. */
function refuseWhileRunning(directory: string, id: string): void {
  let recording: Recording;
  try {
    recording = openRecording(directory, id);
  } catch {
    return;
  }
  if (!isHeld(recording.meta)) return;
  const pid = recording.meta.harness?.pid;
  const message = `${id} is still running (process ${pid}); stop it before you remove its recording`;
  throw new HarnessError("session_running", message);
}

/** The sidecar is removed last: a recording that is only half removed is still listed. */
function removeFiles(paths: RecordingPaths): void {
  try {
    rmSync(paths.folder, { recursive: true, force: true });
    rmSync(paths.ndjson, { force: true });
    rmSync(paths.meta, { force: true });
  } catch (error) {
    throw new HarnessError("unremovable_recording", `cannot remove ${paths.folder}: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

/** Which recordings `sessions.prune` removes. */
export interface PruneOptions extends Place {
  /** Recordings that began before this moment are removed. */
  before: Date;
  /** True: nothing is removed. The result says what would be. */
  dryRun?: boolean | undefined;
}

/** What `sessions.prune` removed. */
export interface Pruned {
  /** Newest first. */
  sessions: Recording[];
  /** Size of their files, in bytes. */
  bytes: number;
}

/** Removes old recordings, but keeps those of runs under way. */
export async function pruneRecordings(options: PruneOptions): Promise<Pruned> {
  const { directory = defaultRecordingsDirectory(), before, dryRun = false } = options;
  const pruned: Pruned = { sessions: [], bytes: 0 };
  for await (const recording of walkRecordings({ directory, before })) {
    if (isHeld(recording.meta)) continue;
    pruned.sessions.push(recording);
    pruned.bytes += sizeOf(recording.paths);
    if (!dryRun) removeFiles(recording.paths);
  }
  if (pruned.sessions.length > 0 && !dryRun) tidyIndex(directory);
  return pruned;
}

function sizeOf(paths: RecordingPaths): number {
  const files = [paths.ndjson, paths.meta, ...filesIn(paths.folder)];
  return files.reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0);
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    return [];
  }
}
