import { readdirSync, readlinkSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { FoundProcess } from "./processes.js";
import { isLiving, type LinuxProcess, readProcess } from "./processes-linux.js";
import { walkProcesses } from "./walk-linux.js";

/** The kernel's names for the agent's ends of our pipes: `socket:[4711]`. Empty where they cannot be read. */
export function readOutputNames(pid: number): string[] {
  if (process.platform !== "linux") return [];
  const names = [1, 2].map((file) => readName(`/proc/${pid}/fd/${file}`));
  return names.flatMap((name) => (/^(?:socket|pipe):\[\d+\]$/.test(name ?? "") ? (name ?? []) : []));
}

export interface OutputHolders {
  /** Started after the agent: they belong to the run. */
  ours: FoundProcess[];
  /** Started before the agent, which passed its output on to them. */
  others: FoundProcess[];
}

/**
 * Finds the processes that hold the agent's output open. One that was started after the agent was started by it, even if
 * it hides its origin: no mark, a session of its own, no parent. A service that ran before was only given the output and
 * does not belong to the run. This reads every open file of every process, so it is used only if an output does not end.
 * `since` is the agent's start time in the system's own format.
 */
export async function findOutputHolders(names: readonly string[], since: string): Promise<OutputHolders> {
  if (names.length === 0) return { ours: [], others: [] };
  let holders = await scanForHolders(names);
  // Some process must hold it. A scan can miss a process that is just calling exec, so we scan again.
  for (let scan = 1; scan < maxScans && holders.length === 0; scan++) {
    await sleep(betweenScansMs);
    holders = await scanForHolders(names);
  }
  const isOurs = ({ started }: LinuxProcess): boolean => Number(started) >= Number(since);
  return { ours: holders.filter(isOurs), others: holders.filter((one) => !isOurs(one)) };
}

const maxScans = 3;
const betweenScansMs = 20;

async function scanForHolders(names: readonly string[]): Promise<LinuxProcess[]> {
  const found: LinuxProcess[] = [];
  await walkProcesses((pid) => {
    if (holdsAny(pid, names)) found.push(...readProcess(pid));
  });
  return found.filter(isLiving);
}

function holdsAny(pid: number, names: readonly string[]): boolean {
  const folder = `/proc/${pid}/fd`;
  try {
    return readdirSync(folder).some((file) => names.includes(readName(`${folder}/${file}`) ?? ""));
  } catch {
    return false;
  }
}

function readName(link: string): string | undefined {
  try {
    return readlinkSync(link);
  } catch {
    return undefined;
  }
}
