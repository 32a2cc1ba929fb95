import { randomBytes } from "node:crypto";
import { lstatSync, mkdtempSync, rmSync, type Stats } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gone } from "./control-of.js";

/** Where one session listens. */
export interface ControlPlace {
  address: string;
  remove(): void;
}

const isWindows = process.platform === "win32";
const pipePrefix = "\\\\.\\pipe\\harness-control-";
/** The system takes no longer path of a socket: 108 bytes on Linux, 104 on macOS, with the zero at the end. */
const longestPath = 103;

/**
 * A new socket in a directory of its own, which nobody but this user can enter. Throws what the system says if it cannot be
 * made. It is removed at the latest when this process exits.
 */
export function makeControlPlace(): ControlPlace {
  if (isWindows)
    return { address: `${pipePrefix}${randomBytes(16).toString("hex")}`, remove: () => undefined };
  const inTemporary = join(tmpdir(), "harness-XXXXXX", "control");
  const base = Buffer.byteLength(inTemporary) > longestPath ? "/tmp" : tmpdir();
  // It gets the mode 0700.
  const directory = mkdtempSync(join(base, "harness-"));
  if (made.size === 0) process.once("exit", removeAll);
  made.add(directory);
  return { address: join(directory, "control"), remove: () => removeDirectory(directory) };
}

const made = new Set<string>();

function removeAll(): void {
  for (const directory of made) removeDirectory(directory);
}

function removeDirectory(directory: string): void {
  if (!made.delete(directory)) return;
  if (made.size === 0) process.removeListener("exit", removeAll);
  try {
    rmSync(directory, { recursive: true, force: true });
  } catch {
    // What is left is an empty directory, or a socket that nobody listens on.
  }
}

/**
 * Throws if an address is not one that this user's harness made. A sidecar may have been written by somebody else, and prompts must
 * not be sent to whoever listens there.
 */
export function checkControlAddress(address: string): void {
  if (isWindows) {
    if (!address.startsWith(pipePrefix)) throw gone("the recording names no pipe of harness");
    return;
  }
  if (!address.startsWith("/") || address.includes("\0"))
    throw gone("the recording names no socket of harness");
  const directory = statOf(dirname(address));
  const socket = statOf(address);
  if (directory === undefined || socket === undefined)
    throw gone("the session has ended, or its harness was killed");
  const user = process.getuid?.();
  const isOurs =
    directory.isDirectory() &&
    socket.isSocket() &&
    (directory.mode & 0o077) === 0 &&
    [directory, socket].every(({ uid }) => uid === user);
  if (!isOurs) throw gone("the session's socket is not this user's own, so nothing is sent to it");
}

function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}
