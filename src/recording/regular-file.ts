import {
  closeSync,
  constants,
  createReadStream,
  fstatSync,
  openSync,
  type ReadStream,
  readFileSync,
  type Stats,
} from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { HarnessError, systemCode } from "../errors.js";

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
  return openChecked(path, forReading, undefined, (stat) => stat.isFile(), notRegular);
}

/** A new, empty file to write, or a device. Throws, and waits for nobody, when there is a pipe or a socket in its place. */
export function openForWriting(path: string, mode?: number): number {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC;
  const isTaken = (stat: Stats): boolean => stat.isFile() || stat.isCharacterDevice();
  const file = openChecked(path, flags | withoutWaiting, mode, isTaken, notWritable);
  if (!fstatSync(file).isCharacterDevice()) return file;
  // A terminal is to be waited for when it is written.
  closeSync(file);
  return openSync(path, flags, mode);
}

function openChecked(
  path: string,
  flags: number,
  mode: number | undefined,
  isRight: (stat: Stats) => boolean,
  refuse: (path: string) => Error,
): number {
  let file: number;
  try {
    file = openSync(path, flags, mode);
  } catch (error) {
    throw isSocketProblem(error) ? refuse(path) : error;
  }
  if (isRight(fstatSync(file))) return file;
  closeSync(file);
  throw refuse(path);
}

/** What a socket, or a pipe that nobody reads, gives to whoever opens it. */
function isSocketProblem(error: unknown): boolean {
  return systemCode(error) === "ENXIO";
}

function notRegular(path: string): HarnessError {
  const message = `${path} is no file of a recording but a pipe, a device, a socket or a directory, and is not read; remove it`;
  return new HarnessError("unreadable_recording", message);
}

function notWritable(path: string): Error {
  return new Error(`${path} is a pipe or a socket, not a file`);
}
