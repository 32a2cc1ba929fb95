import { execFile } from "node:child_process";
import { runMarker } from "./environment.js";
import type { FoundProcess, RunProcesses } from "./processes.js";

const line = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/;
const marker = new RegExp(`(?:^|\\s)${runMarker}=(\\S+)`);

/** macOS has no /proc; `ps -E` shows the environment of our own processes after their arguments. */
export function findProcessesOfMac(wanted: RunProcesses): Promise<FoundProcess[]> {
  const args = ["-A", "-E", "-ww", "-o", "pid=,pgid=,uid=,stat=,command="];
  return new Promise((resolve) => {
    execFile("/bin/ps", args, { maxBuffer: 256 * 1024 * 1024 }, (_error, stdout) => {
      resolve(parsePs(stdout, wanted, process.geteuid?.()));
    });
  });
}

/** The living processes of a run in the output of `ps`. */
export function parsePs(
  output: string,
  { group, runId }: RunProcesses,
  uid: number | undefined,
): FoundProcess[] {
  return output.split("\n").flatMap((text) => {
    const [, pid, itsGroup, owner, state, command] = line.exec(text) ?? [];
    if (pid === undefined || command === undefined || Number(owner) !== uid || state?.startsWith("Z"))
      return [];
    if (Number(itsGroup) !== group && marker.exec(command)?.[1] !== runId) return [];
    const name = command.split(" ", 1)[0]?.split("/").at(-1) ?? "";
    return [{ pid: Number(pid), group: Number(itsGroup), name }];
  });
}
