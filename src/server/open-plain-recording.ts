import { lstatSync, type Stats } from "node:fs";
import { HarnessError } from "../errors.js";
import { openRecording, type Recording } from "../runs/archive/recording.js";
import { recordingPaths } from "../runs/recording/paths.js";

/** The only large part of a sidecar is the prompt. */
const largestMeta = 64 * 1024 * 1024;

/**
 * Opens a recording whose parts are plain files. Agents can write into the directory of recordings: a link would let the page
 * read any file, and a pipe or a device would block the server forever. Throws `unknown_session` if there is none.
 */
export function openPlainRecording(directory: string, id: string): Recording {
  const { meta, folder, raw, events, patch } = recordingPaths(directory, id);
  if (lstatSync(meta, { throwIfNoEntry: false }) === undefined)
    throw new HarnessError("unknown_session", `there is no run ${id}, or it has been removed`);
  check(meta, (stat) => stat.isFile() && stat.size <= largestMeta);
  check(folder, (stat) => stat.isDirectory());
  check(raw, (stat) => stat.isFile());
  check(events, (stat) => stat.isFile());
  check(patch, (stat) => stat.isFile());
  return openRecording(directory, id);
}

/** Another file that is missing is not an error here: whoever reads it reports it. */
function check(path: string, isPlain: (stat: Stats) => boolean): void {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined || isPlain(stat)) return;
  const message = `${path} is not read: it is a link or a device, or too large for a recording; remove it`;
  throw new HarnessError("unreadable_recording", message);
}
