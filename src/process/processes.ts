import { listProcessesOfLinux } from "./processes-linux.js";
import { listProcessesOfMac } from "./processes-macos.js";

/** A living process (no zombie) of our own user. */
export interface ListedProcess {
  pid: number;
  /** Its process group. */
  group: number;
  /** The program's short name; never its arguments, which may hold secrets. */
  name: string;
  /** The run that started it, by the marker in its environment. */
  runId?: string;
}

let waiting: Promise<ListedProcess[]> | undefined;

/**
 * The processes of our user, as of some moment after the call. Runs that ask at the same time share one
 * look, so that a hundred runs that end together cost one walk and not a hundred.
 */
export function listProcesses(): Promise<ListedProcess[]> {
  waiting ??= new Promise((resolve) => {
    setImmediate(() => {
      waiting = undefined;
      resolve(list());
    });
  });
  return waiting;
}

async function list(): Promise<ListedProcess[]> {
  if (process.platform === "linux") return listProcessesOfLinux();
  if (process.platform === "win32") return [];
  return listProcessesOfMac();
}
