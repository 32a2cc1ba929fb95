import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { patchFileName } from "./paths.js";

/** What is written is never longer. A recording may have been made by others. */
const longestPatch = 64 * 1024 * 1024;

/** No pipe is waited for, and no link is followed: one in a recording of others could lead to any file of the user. */
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** The bytes of the patch of a recording. Undefined if there is none. Never throws. */
export function readPatchBytes(path: string): Buffer | undefined {
  let file: number;
  try {
    file = openSync(path, flags);
  } catch {
    return undefined;
  }
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) return undefined;
    const bytes = Buffer.alloc(Math.min(stats.size, longestPatch));
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, 0));
  } catch {
    return undefined;
  } finally {
    closeSync(file);
  }
}

/** The patch as text. Undefined if there is none. */
export function readPatch(path: string): string | undefined {
  return readPatchBytes(path)?.toString("utf8");
}

/** The same for the recording whose `.ndjson` this is. */
export function patchBeside(ndjson: string | undefined): string | undefined {
  if (ndjson === undefined) return undefined;
  return readPatch(join(ndjson.replace(/\.ndjson$/, ""), patchFileName));
}
