import { execFile } from "node:child_process";
import { markOf } from "./environment.js";
import { groupAsWhole } from "./group-as-whole.js";
import { withDescendants } from "./process-tree.js";
import type { FoundProcess, RunProcesses } from "./processes.js";

const line = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/;

/** macOS has no /proc. `ps -E` prints the environment of our own processes after their arguments. */
export function findProcessesOfMac(wanted: RunProcesses): Promise<FoundProcess[]> {
  const args = ["-A", "-E", "-ww", "-o", "pid=,ppid=,pgid=,uid=,stat=,command="];
  return new Promise((resolve) => {
    execFile("/bin/ps", args, { maxBuffer: 256 * 1024 * 1024, timeout: 5000 }, (error, stdout) => {
      const isWhole = error === null;
      resolve(isWhole ? parsePs(stdout, wanted, process.geteuid?.()) : groupAsWhole(wanted.group));
    });
  });
}

/** The living processes of a run in the output of `ps`. */
export function parsePs(
  output: string,
  { group, runId }: RunProcesses,
  uid: number | undefined,
): FoundProcess[] {
  const mark = markOf(runId);
  const all = output.split("\n").flatMap((text) => {
    const [, pid, parent, itsGroup, owner, state, command] = line.exec(text) ?? [];
    if (command === undefined || state?.startsWith("Z")) return [];
    const name = command.split(" ", 1)[0]?.split("/").at(-1) ?? "";
    // Another user's process could have our mark in its arguments; it does not count.
    const isMarked = Number(owner) === uid && command.includes(mark);
    return [{ pid: Number(pid), parent: Number(parent), group: Number(itsGroup), name, isMarked }];
  });
  return withDescendants(all, (one) => one.group === group || one.isMarked);
}
