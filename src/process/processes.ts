import { existsSync } from "node:fs";
import { findProcessesOfLinux } from "./processes-linux.js";
import { findProcessesOfMac } from "./processes-macos.js";

/** What belongs to one run: its process group, its control group, and what carries its marker in the environment. */
export interface RunProcesses {
  group: number;
  runId: string;
  /** Found before: theirs it stays, although the parent that told so may be gone. */
  known: readonly FoundProcess[];
  /** Who is in the run's control group, where it has one. */
  enclosed?: readonly number[];
}

/** A living process (no zombie), whoever owns it: an agent may change its user, or have `sudo` do so. */
export interface FoundProcess {
  /** Negative for a whole process group of which nothing else can be seen, as `kill` takes it. */
  pid: number;
  group: number;
  parent?: number;
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

/** False on a Linux without /proc: then only the agent's own group can be watched, and only as a whole. */
export function canSeeProcesses(): boolean {
  return process.platform !== "linux" || existsSync("/proc/self/stat");
}
