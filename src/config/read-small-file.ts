import { closeSync, constants, fstatSync, openSync, readSync, type Stats, statSync } from "node:fs";
import { systemCode } from "../errors.js";

/** The largest file that is read as configuration. */
export const maxConfigBytes = 1024 * 1024;

/**
 * The bytes of a plain file, undefined when it does not exist. A pipe, a device, a directory and a file of more
 * than `maxBytes` are refused at once: none of them is waited for, and no more than the limit is ever held.
 */
export function readSmallFile(path: string, maxBytes: number = maxConfigBytes): Buffer | undefined {
  const descriptor = open(path, maxBytes);
  if (descriptor === undefined) return undefined;
  try {
    // What was looked at may have been replaced before it was opened.
    check(fstatSync(descriptor), maxBytes);
    return readAtMost(descriptor, maxBytes);
  } finally {
    closeSync(descriptor);
  }
}

function open(path: string, maxBytes: number): number | undefined {
  try {
    // To open a device can do something already, so it is not even opened.
    check(statSync(path), maxBytes);
    // A pipe that took the file's place is not waited for, and a terminal does not become ours.
    const { O_RDONLY, O_NONBLOCK = 0, O_NOCTTY = 0 } = constants;
    return openSync(path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

function check(stats: Stats, maxBytes: number): void {
  if (stats.isDirectory()) throw new Error("it is a directory, not a file");
  if (!stats.isFile()) throw new Error("it is a pipe, a device or a socket, not a file; remove it");
  if (stats.size > maxBytes) throw tooLarge(maxBytes);
}

/** The size of a file can be wrong (it grows; files of /proc say 0). */
function readAtMost(descriptor: number, maxBytes: number): Buffer {
  const chunks: Buffer[] = [];
  let size = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(Math.min(64 * 1024, maxBytes + 1 - size));
    const bytes = readSync(descriptor, chunk, 0, chunk.length, null);
    if (bytes === 0) return Buffer.concat(chunks);
    size += bytes;
    if (size > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk.subarray(0, bytes));
  }
}

function tooLarge(maxBytes: number): Error {
  return new Error(
    `it is larger than ${maxBytes / (1024 * 1024)} MB, too large for its kind; make it smaller`,
  );
}
