import { lstatSync, type Stats } from "node:fs";
import { HarnessError } from "../errors.js";
import { openRecording, type Recording } from "../runs/archive/recording.js";
import { recordingPaths } from "../runs/recording/paths.js";

/** A sidecar has a prompt in it, and no more than that is large. */
const largestMeta = 64 * 1024 * 1024;

/**
 * Opens a recording whose parts are plain files. Agents can write where recordings are: a link would lead the
 * page to any file, and a pipe or a device would hold up the server for good.
 */
export function openPlainRecording(directory: string, id: string): Recording {
  const { meta, folder, raw, events } = recordingPaths(directory, id);
  check(meta, (stat) => stat.isFile() && stat.size <= largestMeta);
  check(folder, (stat) => stat.isDirectory());
  check(raw, (stat) => stat.isFile());
  check(events, (stat) => stat.isFile());
  return openRecording(directory, id);
}

/** What is missing is told by whoever reads it. */
function check(path: string, isPlain: (stat: Stats) => boolean): void {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined || isPlain(stat)) return;
  const message = `${path} is no plain part of a recording (a link, a device or too large), and is not read; remove it`;
  throw new HarnessError("unreadable_recording", message);
}
