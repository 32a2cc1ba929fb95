import { findProcessesOfLinux } from "./processes-linux.js";
import { findProcessesOfMac } from "./processes-macos.js";

/** What belongs to one run: its process group, and what carries its marker in the environment. */
export interface RunProcesses {
  group: number;
  runId: string;
  /** Found before: theirs it stays, although the parent that told so may be gone. */
  known: readonly FoundProcess[];
}

/** A living process (no zombie) of our own user. */
export interface FoundProcess {
  pid: number;
  group: number;
  /** The program's short name; never its arguments, which may hold secrets. */
  name: string;
  /** When it was started, in the system's own terms; tells it from a later one with the same number. */
  started?: string;
}

/**
 * What is alive of a run: its group, what carries its marker, and the children of these. On Windows
 * nothing can be told: there, a tree of processes is ended by its root.
 */
export function findProcesses(wanted: RunProcesses): Promise<FoundProcess[]> {
  if (process.platform === "linux") return findProcessesOfLinux(wanted);
  if (process.platform === "win32") return Promise.resolve([]);
  return findProcessesOfMac(wanted);
}
