import { readdirSync, readlinkSync } from "node:fs";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { listPids } from "./pids-linux.js";
import type { FoundProcess } from "./processes.js";
import { isLiving, type LinuxProcess, readProcess } from "./processes-linux.js";

/** What the system calls the agent's ends of our pipes: `socket:[4711]`. None where that cannot be told. */
export function readOutputNames(pid: number): string[] {
  if (process.platform !== "linux") return [];
  const names = [1, 2].map((file) => readName(`/proc/${pid}/fd/${file}`));
  return names.flatMap((name) => (/^(?:socket|pipe):\[\d+\]$/.test(name ?? "") ? (name ?? []) : []));
}

export interface OutputHolders {
  /** Started since the agent was. */
  ours: FoundProcess[];
  /** There before the agent, which has handed them its output. */
  others: FoundProcess[];
}

/**
 * Whoever holds the agent's output open and was started after it was started by it, however much of its origin it has
 * hidden: no marker, a session of its own, no parent. A service that ran before was only handed the output, and is
 * nobody of the run. Every open file of every process is looked at, so this is only for an output that does not end.
 * `since`: when the agent was started, in the system's own terms.
 */
export async function findOutputHolders(names: readonly string[], since: string): Promise<OutputHolders> {
  if (names.length === 0) return { ours: [], others: [] };
  let holders = await lookForHolders(names);
  // Somebody holds it: one that was just being replaced by another program can slip through a look.
  for (let look = 1; look < mostLooks && holders.length === 0; look++) {
    await sleep(betweenLooksMs);
    holders = await lookForHolders(names);
  }
  const isOurs = ({ started }: LinuxProcess): boolean => Number(started) >= Number(since);
  return { ours: holders.filter(isOurs), others: holders.filter((one) => !isOurs(one)) };
}

const mostLooks = 3;
const betweenLooksMs = 20;

async function lookForHolders(names: readonly string[]): Promise<LinuxProcess[]> {
  const found: LinuxProcess[] = [];
  for (const pids of listPids()) {
    for (const pid of pids) if (holdsAny(pid, names)) found.push(...readProcess(pid));
    await setImmediate();
  }
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
