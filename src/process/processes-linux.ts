import { readFileSync } from "node:fs";
import { groupAsWhole, hasMembers } from "./group-as-whole.js";
import { listMarked } from "./marks-linux.js";
import { withDescendants } from "./process-tree.js";
import type { FoundProcess, RunProcesses } from "./processes.js";
import { createSharedScan, walkNewProcesses } from "./walk-linux.js";

export interface LinuxProcess extends FoundProcess {
  parent: number;
  started: string;
  /** It has ended, and its parent has not reaped it yet. */
  isZombie: boolean;
}

/**
 * Searches /proc. Marks are always read. The scan of all processes, which finds the group and descendants without a
 * mark, is made only if the run has a process to descend from.
 */
export async function findProcessesOfLinux(wanted: RunProcesses): Promise<FoundProcess[]> {
  const { group, runId, known, enclosed = [] } = wanted;
  try {
    const ours = new Set([...((await listMarked()).get(runId) ?? []), ...enclosed]);
    if (ours.size === 0 && known.length === 0 && !hasMembers(group)) return [];
    const all = await listProcesses();
    const isKnown = isOneOf(known);
    const found = withDescendants(
      all.filter(isLiving),
      (one) => one.group === group || ours.has(one.pid) || isKnown(one),
    );
    return [...found, ...unseenGroup(group, all)];
  } catch {
    return groupAsWhole(group);
  }
}

/** Returns a test for membership that is not fooled by a reused pid. */
export function isOneOf(known: readonly FoundProcess[]): (one: FoundProcess) => boolean {
  const starts = new Map(known.map(({ pid, started }) => [pid, started]));
  return ({ pid, started }) => starts.has(pid) && starts.get(pid) === started;
}

export function isLiving({ isZombie }: LinuxProcess): boolean {
  return !isZombie;
}

/** All processes except our own, as of some moment after the call. */
export const listProcesses = createSharedScan(scan);

async function scan(): Promise<LinuxProcess[]> {
  const all: LinuxProcess[] = [];
  await walkNewProcesses((pid) => {
    all.push(...readProcess(pid));
  });
  return all;
}

/** Empty if the process is gone, or if it is our own. */
export function readProcess(pid: number): LinuxProcess[] {
  if (pid === process.pid) return [];
  try {
    // pid (name) state ppid pgrp … starttime; the name may contain anything, including brackets and line feeds.
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const nameEnd = stat.lastIndexOf(")");
    const [state, parent, group, ...rest] = stat.slice(nameEnd + 2).split(" ", 20);
    const name = stat.slice(stat.indexOf("(") + 1, nameEnd);
    const isZombie = state === "Z" || state === "X";
    return [{ pid, parent: Number(parent), group: Number(group), name, started: rest[16] ?? "", isZombie }];
  } catch {
    return [];
  }
}

/** The group as a whole, if it has members and /proc hides all of them (`hidepid`). Zombies are visible in `all`. */
function unseenGroup(group: number, all: readonly LinuxProcess[]): FoundProcess[] {
  return all.some((one) => one.group === group) ? [] : groupAsWhole(group);
}
