import { linkSync, renameSync, rmSync } from "node:fs";
import { HarnessError, systemCode } from "../errors.js";
import type { ProcessIdentity } from "../events/recording-meta.js";
import { isSameProcess, ownIdentity } from "../process/process-identity.js";
import { readRegularFile } from "../runs/files/regular-file.js";
import { writeAtomically } from "../runs/files/write-atomically.js";
import { parseOwnJson } from "../text/parse-json.js";

/**
 * Takes the lock of a batch: only one process may run it. A lock whose process is gone is taken over. Throws `batch_running`. The
 * lock is for the processes of one machine.
 */
export function takeLock(path: string): { release(): void } {
  const draft = `${path}.${process.pid}`;
  writeAtomically(draft, JSON.stringify(ownIdentity()));
  try {
    // The link has its content from the first moment on. A file that is created and then written is empty for a while.
    if (!canLink(draft, path)) {
      setAside(path);
      if (!canLink(draft, path)) throw taken(path);
    }
  } finally {
    rmSync(draft, { force: true });
  }
  return { release: () => rmSync(path, { force: true }) };
}

/** True while the process that holds the lock is alive. */
export function isLocked(path: string): boolean {
  const holder = holderOf(path);
  return holder !== undefined && isSameProcess(holder);
}

function canLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (systemCode(error) !== "EEXIST") throw error;
    return false;
  }
}

/**
 * Removes the lock of a process that is gone. It is renamed first and looked at again: another process may have taken it over
 * after we looked, and gets it back.
 */
function setAside(path: string): void {
  if (isLocked(path)) throw taken(path);
  const aside = `${path}.${process.pid}.old`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return;
    throw error;
  }
  const isAlive = isLocked(aside);
  if (isAlive) canLink(aside, path);
  rmSync(aside, { force: true });
  if (isAlive) throw taken(path);
}

function holderOf(path: string): ProcessIdentity | undefined {
  try {
    const value = parseOwnJson(readRegularFile(path));
    return isIdentity(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isIdentity(value: unknown): value is ProcessIdentity {
  return typeof value === "object" && value !== null && "pid" in value && Number.isInteger(value.pid);
}

function taken(path: string): HarnessError {
  const holder = holderOf(path);
  const who = holder === undefined ? "another process" : `the process ${holder.pid}`;
  return new HarnessError("batch_running", `this batch is being run by ${who}; wait for it, or stop it`);
}
