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

/** To open a pipe that nobody writes would otherwise wait for a writer, for good. Windows has no such flag. */
const withoutWaiting = constants.O_NONBLOCK ?? 0;
const forReading = constants.O_RDONLY | withoutWaiting;

/** The text of a part of a recording. Throws a HarnessError when it is a pipe, a device, a socket or a directory. */
export function readRegularFile(path: string): string {
  const file = openForReading(path);
  try {
    return readFileSync(file, "utf8");
  } finally {
    closeSync(file);
  }
}

/** The same as chunks of this size. */
export function streamRegularFile(path: string, chunkBytes: number): ReadStream {
  return createReadStream("", { fd: openForReading(path), highWaterMark: chunkBytes });
}

/** The same, for reading any part of it. */
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

/** What a socket gives to whoever opens it. */
function isSocketProblem(error: unknown): boolean {
  return systemCode(error) === "ENXIO";
}

function notRegular(path: string): HarnessError {
  const message = `${path} is no file of a recording but a pipe, a device, a socket or a directory, and is not read; remove it`;
  return new HarnessError("unreadable_recording", message);
}
