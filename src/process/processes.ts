import { existsSync } from "node:fs";
import { findProcessesOfLinux } from "./processes-linux.js";
import { findProcessesOfMac } from "./processes-macos.js";

/** How to recognise the processes of one run: by process group, control group, and the mark in their environment. */
export interface RunProcesses {
  group: number;
  runId: string;
  /** Found earlier. They stay part of the run, even if the parent that proved it is gone. */
  known: readonly FoundProcess[];
  /** The pids in the run's control group, if it has one. */
  enclosed?: readonly number[];
}

/** A living process (not a zombie). Its owner may be another user: an agent may use `sudo`. */
export interface FoundProcess {
  /** Negative for a whole process group whose members cannot be listed, as `kill` expects it. */
  pid: number;
  group: number;
  parent?: number;
  /** The program's short name. Never its arguments, which may contain secrets. */
  name: string;
  /** The start time in the system's own format. It distinguishes the process from a later one with the same pid. */
  started?: string;
}

/**
 * The living processes of a run: its group, the marked processes, and their descendants. Always empty on Windows, where a
 * process tree is ended by its root instead.
 */
export function findProcesses(wanted: RunProcesses): Promise<FoundProcess[]> {
  if (process.platform === "linux") return findProcessesOfLinux(wanted);
  if (process.platform === "win32") return Promise.resolve([]);
  return findProcessesOfMac(wanted);
}

/** False on Linux without /proc. Only the agent's own group can be watched then, and only as a whole. */
export function canSeeProcesses(): boolean {
  return process.platform !== "linux" || existsSync("/proc/self/stat");
}
