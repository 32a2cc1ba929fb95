import { mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makeDirectories } from "../files/make-directories.js";
import { recordingPaths } from "../recording/paths.js";
import { removeRecordings } from "./remove.js";

/** A place beside the recordings where new ones are made. Nobody sees them before they are complete. */
export interface Staging {
  /** Recordings are written here. */
  directory: string;
  /** Moves a complete recording to the others. It replaces one with the same id. */
  adopt(id: string): Promise<void>;
  /** Removes what was not adopted. */
  close(): void;
}

const prefix = ".importing-";

export function createStaging(recordings: string): Staging {
  makeDirectories(recordings);
  removeAbandoned(recordings);
  const directory = join(recordings, `${prefix}${process.pid}`);
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { mode: 0o700 });
  return {
    directory,
    async adopt(id) {
      const [from, to] = [recordingPaths(directory, id), recordingPaths(recordings, id)];
      // The index of recordings must forget the old one, too.
      await removeRecordings(id, { directory: recordings }).catch(() => undefined);
      for (const path of [to.folder, to.ndjson, to.meta]) rmSync(path, { recursive: true, force: true });
      renameSync(from.folder, to.folder);
      renameSync(from.ndjson, to.ndjson);
      // The sidecar comes last: with it the recording exists.
      renameSync(from.meta, to.meta);
    },
    close: () => rmSync(directory, { recursive: true, force: true }),
  };
}

/** What an import has left that was killed. */
function removeAbandoned(recordings: string): void {
  for (const name of readdirSync(recordings)) {
    if (!name.startsWith(prefix)) continue;
    const pid = Number(name.slice(prefix.length));
    if (!isRunning(pid)) rmSync(join(recordings, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
