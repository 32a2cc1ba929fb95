import {
  closeSync,
  constants,
  createReadStream,
  fstatSync,
  openSync,
  type ReadStream,
  readFileSync,
} from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { HarnessError, systemCode } from "../../errors.js";

/** Without this flag, opening a pipe without a writer would block forever. Windows has no such flag. */
const withoutWaiting = constants.O_NONBLOCK ?? 0;
const forReading = constants.O_RDONLY | withoutWaiting;

/** Reads a file of a recording. Throws a HarnessError for a pipe, a device, a socket or a directory. */
export function readRegularFile(path: string): string {
  const file = openForReading(path);
  try {
    return readFileSync(file, "utf8");
  } finally {
    closeSync(file);
  }
}

/** Like `readRegularFile`, in chunks of this size. */
export function streamRegularFile(path: string, chunkBytes: number): ReadStream {
  return createReadStream("", { fd: openForReading(path), highWaterMark: chunkBytes });
}

/** Like `readRegularFile`, for reading any part of the file. */
export async function openRegularFile(path: string): Promise<FileHandle> {
  const handle = await open(path, forReading).catch((error: unknown) => {
    throw isSocketProblem(error) ? notRegular(path) : error;
  });
  const stat = await handle.stat();
  if (stat.isFile()) return handle;
  await handle.close();
  throw notRegular(path);
}

function openForReading(path: string): number {
  let file: number;
  try {
    file = openSync(path, forReading);
  } catch (error) {
    throw isSocketProblem(error) ? notRegular(path) : error;
  }
  if (fstatSync(file).isFile()) return file;
  closeSync(file);
  throw notRegular(path);
}

/** The error for a socket. */
function isSocketProblem(error: unknown): boolean {
  return systemCode(error) === "ENXIO";
}

function notRegular(path: string): HarnessError {
  const message = `${path} is not read: it is a pipe, a device, a socket or a directory, not a file of a recording; remove it`;
  return new HarnessError("unreadable_recording", message);
}
