import { HarnessError, messageOf } from "../../errors.js";
import type { RecordingMeta } from "../../events/recording-meta.js";
import { spellSafely } from "../../text/to-json.js";
import { readRegularFile } from "../files/regular-file.js";
import { writeAtomically, writeInPlace } from "../files/write-atomically.js";

export function writeMeta(path: string, meta: RecordingMeta): void {
  writeAtomically(path, toText(meta));
}

/** For when `writeMeta` has failed: even on a full disk, the sidecar can be overwritten in its own space. */
export function writeMetaInPlace(path: string, meta: RecordingMeta): void {
  writeInPlace(path, toText(meta));
}

/** Changes the sidecar of a run that is over. */
export function updateMeta(path: string, changes: Partial<RecordingMeta>): void {
  writeMeta(path, { ...readMeta(path), ...changes });
}

function toText(meta: RecordingMeta): string {
  return `${spellSafely(JSON.stringify(meta, null, 2))}\n`;
}

export function readMeta(path: string): RecordingMeta {
  try {
    return JSON.parse(readRegularFile(path));
  } catch (error) {
    if (error instanceof HarnessError) throw error;
    const message = `cannot read ${path}: ${messageOf(error)}; harness sessions list shows the recordings`;
    throw new HarnessError("unreadable_recording", message, { cause: error });
  }
}
