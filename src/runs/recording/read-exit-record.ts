import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { parseRawRecord } from "../../events/raw-jsonl.js";
import type { ExitRecord } from "../../events/raw-record.js";

/** More than any exit record takes, with room for garbage that a crash of the machine may leave after it. */
const tailBytes = 64 * 1024;

/**
 * The exit record at the end of a `raw.jsonl`. Undefined when there is none or only part of one, and when the file cannot
 * be read. Reads only the end of the file.
 */
export function readExitRecord(rawPath: string): ExitRecord | undefined {
  for (const line of readTail(rawPath).split("\n").reverse()) {
    if (!line.includes('"exit"')) continue;
    const record = parseRawRecord(line);
    if (record?.stream === "exit") return record;
  }
  return undefined;
}

function readTail(path: string): string {
  let file: number | undefined;
  try {
    // Without O_NONBLOCK, opening a pipe that nobody writes to would hang.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stat = fstatSync(file);
    if (!stat.isFile()) return "";
    const buffer = Buffer.alloc(Math.min(stat.size, tailBytes));
    const length = readSync(file, buffer, 0, buffer.length, stat.size - buffer.length);
    return buffer.toString("utf8", 0, length);
  } catch {
    return "";
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
