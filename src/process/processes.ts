import { findProcessesOfLinux } from "./processes-linux.js";
import { findProcessesOfMac } from "./processes-macos.js";

/** What belongs to one run: its process group, and what carries its marker in the environment. */
export interface RunProcesses {
  group: number;
  runId: string;
}

/** A living process (no zombie) of our own user. */
export interface FoundProcess {
  pid: number;
  group: number;
  /** The program's short name; never its arguments, which may hold secrets. */
  name: string;
}

/** What is alive of a run. On Windows nothing can be told: a tree can only be ended by its root. */
export function findProcesses(wanted: RunProcesses): Promise<FoundProcess[]> {
  if (process.platform === "linux") return findProcessesOfLinux(wanted);
  if (process.platform === "win32") return Promise.resolve([]);
  return findProcessesOfMac(wanted);
}
