import { closeSync, constants, fstatSync, openSync, readSync, type Stats, statSync } from "node:fs";
import { systemCode } from "../errors.js";

/** The maximum size of a configuration file. */
export const maxConfigBytes = 1024 * 1024;

/**
 * Reads a regular file. Undefined if it does not exist. Pipes, devices, directories and files larger than `maxBytes` are
 * refused: this never blocks and never holds more than the limit in memory.
 */
export function readSmallFile(path: string, maxBytes: number = maxConfigBytes): Buffer | undefined {
  const descriptor = open(path, maxBytes);
  if (descriptor === undefined) return undefined;
  try {
    // The file may have been replaced between stat and open.
    check(fstatSync(descriptor), maxBytes);
    return readAtMost(descriptor, maxBytes);
  } finally {
    closeSync(descriptor);
  }
}

function open(path: string, maxBytes: number): number | undefined {
  try {
    // Opening a device can already have an effect, so a device is not even opened.
    check(statSync(path), maxBytes);
    // In case the file was replaced: O_NONBLOCK does not wait for a pipe, O_NOCTTY does not take over a terminal.
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

/** The reported size can be wrong: the file may grow, and files in /proc report 0. */
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
  return new Error(`it is larger than the limit of ${maxBytes / (1024 * 1024)} MB; make it smaller`);
}
