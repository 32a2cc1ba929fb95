import { closeSync, constants, fstatSync, lstatSync, openSync, rmSync, type Stats, statSync } from "node:fs";
import { dirname } from "node:path";
import { systemCode } from "../../errors.js";

/** Systems without links that could be followed have no such flag. */
const noFollow = constants.O_NOFOLLOW ?? 0;
const create = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | noFollow;

/** Windows has no such flag. */
const withoutWaiting = constants.O_NONBLOCK ?? 0;

/** What we write is its owner's alone, whatever the umask says. */
export const ownerOnly = 0o600;

/**
 * A new file at a place of our own. What has its name, be it a link that somebody planted, is removed and never written
 * through.
 */
export function openNew(path: string): number {
  try {
    return openSync(path, create, ownerOnly);
  } catch (error) {
    if (systemCode(error) !== "EEXIST") throw error;
  }
  rmSync(path, { force: true });
  return openSync(path, create, ownerOnly);
}

const attempts = 5;

/**
 * A file that a user named, emptied: a new one, one that is there, or what their link leads to (`/dev/stdout`). A link or a file
 * that somebody else may have put there for us to write through is refused, as `fs.protected_symlinks` does.
 */
export function openNamed(path: string): number {
  for (let attempt = 1; ; attempt++) {
    try {
      return openAsFound(path, lstatSync(path, { throwIfNoEntry: false }));
    } catch (error) {
      // It came or went between the two calls.
      const isRace = ["EEXIST", "ELOOP"].includes(systemCode(error) ?? "");
      if (!isRace || attempt === attempts) throw error;
    }
  }
}

function openAsFound(path: string, found: Stats | undefined): number {
  if (found === undefined) return openSync(path, create, ownerOnly);
  refuseForeign(path, found);
  const how = found.isSymbolicLink() ? constants.O_CREAT : noFollow;
  return openWithoutWaiting(path, constants.O_WRONLY | constants.O_TRUNC | how);
}

/** A file or a device. To open a pipe that nobody reads would wait for a reader, for good. */
function openWithoutWaiting(path: string, flags: number): number {
  const file = openOrRefuse(path, flags | withoutWaiting);
  const stat = fstatSync(file);
  if (stat.isFile()) return file;
  closeSync(file);
  // A terminal is to be waited for when it is written.
  if (stat.isCharacterDevice()) return openSync(path, flags, ownerOnly);
  throw notWritable();
}

function openOrRefuse(path: string, flags: number): number {
  try {
    return openSync(path, flags, ownerOnly);
  } catch (error) {
    // What a socket, or a pipe that nobody reads, gives to whoever opens it.
    throw systemCode(error) === "ENXIO" ? notWritable() : error;
  }
}

function notWritable(): Error {
  return new Error("it is a pipe or a socket, not a file");
}

/** Throws when there is something at a place that another user may have put there for us to write to. */
export function refuseForeign(path: string, found = lstatSync(path, { throwIfNoEntry: false })): void {
  if (found === undefined || isTrusted(found)) return;
  if (found.isSymbolicLink()) throw new Error("it is a link that another user made; name what it leads to");
  if (found.isFile() && isOpenToAll(dirname(path)))
    throw new Error("another user's file is there, in a directory that everybody can write to");
}

/** Ours, or the system's. */
function isTrusted({ uid }: Stats): boolean {
  return process.getuid === undefined || uid === process.getuid() || uid === 0;
}

function isOpenToAll(directory: string): boolean {
  return ((statSync(directory, { throwIfNoEntry: false })?.mode ?? 0) & 0o002) !== 0;
}
