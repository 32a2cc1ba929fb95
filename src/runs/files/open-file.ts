import { closeSync, constants, fstatSync, lstatSync, openSync, rmSync, type Stats, statSync } from "node:fs";
import { dirname } from "node:path";
import { systemCode } from "../../errors.js";

/** Windows has no such flag. */
const noFollow = constants.O_NOFOLLOW ?? 0;
const create = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | noFollow;

/** Windows has no such flag. */
const withoutWaiting = constants.O_NONBLOCK ?? 0;

/** Only the owner can read and write our files, whatever the umask is. */
export const ownerOnly = 0o600;

/**
 * Opens a new file at a path of our own. Whatever has that name, such as a planted link, is removed and never written
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
 * Opens a file that the user named, and empties it unless `isKept`: a new file, an existing one, or the target of a link
 * (`/dev/stdout`). Links and files that another user may have planted are refused, as `fs.protected_symlinks` does.
 */
export function openNamed(path: string, isKept = false): number {
  for (let attempt = 1; ; attempt++) {
    try {
      return openAsFound(path, lstatSync(path, { throwIfNoEntry: false }), isKept);
    } catch (error) {
      // The file appeared or disappeared between the two calls.
      const isRace = ["EEXIST", "ELOOP"].includes(systemCode(error) ?? "");
      if (!isRace || attempt === attempts) throw error;
    }
  }
}

function openAsFound(path: string, found: Stats | undefined, isKept: boolean): number {
  if (found === undefined) return openSync(path, create, ownerOnly);
  refuseForeign(path, found);
  const how = found.isSymbolicLink() ? constants.O_CREAT : noFollow;
  const at = isKept ? constants.O_APPEND : constants.O_TRUNC;
  return openWithoutWaiting(path, constants.O_WRONLY | at | how);
}

/** Opens a file or a device. Opening a pipe without a reader would block forever. */
function openWithoutWaiting(path: string, flags: number): number {
  const file = openOrRefuse(path, flags | withoutWaiting);
  const stat = fstatSync(file);
  if (stat.isFile()) return file;
  closeSync(file);
  // Writes to a terminal should block.
  if (stat.isCharacterDevice()) return openSync(path, flags, ownerOnly);
  throw notWritable();
}

function openOrRefuse(path: string, flags: number): number {
  try {
    return openSync(path, flags, ownerOnly);
  } catch (error) {
    // The error for a socket, or for a pipe without a reader.
    throw systemCode(error) === "ENXIO" ? notWritable() : error;
  }
}

function notWritable(): Error {
  return new Error("it is a pipe or a socket, not a file");
}

/** Throws if another user may have planted what is at this path. */
export function refuseForeign(path: string, found = lstatSync(path, { throwIfNoEntry: false })): void {
  if (found === undefined || isTrusted(found)) return;
  if (found.isSymbolicLink()) throw new Error("it is a link that another user made; name its target");
  if (found.isFile() && isOpenToAll(dirname(path)))
    throw new Error("it is another user's file in a directory that everybody can write to");
}

/** True for files of this user and of root. */
function isTrusted({ uid }: Stats): boolean {
  return process.getuid === undefined || uid === process.getuid() || uid === 0;
}

function isOpenToAll(directory: string): boolean {
  return ((statSync(directory, { throwIfNoEntry: false })?.mode ?? 0) & 0o002) !== 0;
}
