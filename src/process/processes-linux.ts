import { readFileSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { withDescendants } from "./descendants.js";
import { groupAsWhole, hasMembers } from "./group-as-whole.js";
import { readMarkers } from "./markers-linux.js";
import { listPids } from "./pids-linux.js";
import type { FoundProcess, RunProcesses } from "./processes.js";
import { createSharedLook } from "./shared-look.js";

export interface LinuxProcess extends FoundProcess {
  parent: number;
  started: string;
  /** It has ended, and only its parent has not taken notice. */
  isZombie: boolean;
}

/**
 * Looks through /proc. Markers are always looked for; the walk over all processes, for the group and
 * for descendants without a marker, is made only when there is somebody to descend from.
 */
export async function findProcessesOfLinux(wanted: RunProcesses): Promise<FoundProcess[]> {
  const { group, runId, known, enclosed = [] } = wanted;
  try {
    const ours = new Set([...((await readMarkers()).get(runId) ?? []), ...enclosed]);
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

/** Tells the processes that are among these from later ones with the same numbers. */
export function isOneOf(known: readonly FoundProcess[]): (one: FoundProcess) => boolean {
  const starts = new Map(known.map(({ pid, started }) => [pid, started]));
  return ({ pid, started }) => starts.has(pid) && starts.get(pid) === started;
}

export function isLiving({ isZombie }: LinuxProcess): boolean {
  return !isZombie;
}

/** All processes but ourselves, as of some moment after the call. */
export const listProcesses = createSharedLook(walk);

async function walk(): Promise<LinuxProcess[]> {
  const all: LinuxProcess[] = [];
  for (const pids of listPids()) {
    for (const pid of pids) all.push(...readProcess(pid));
    await setImmediate();
  }
  return all;
}

/** None for what is gone, or ourselves. */
export function readProcess(pid: number): LinuxProcess[] {
  if (pid === process.pid) return [];
  try {
    // pid (name) state ppid pgrp … starttime; the name may hold anything, brackets and line feeds included.
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const nameEnd = stat.lastIndexOf(")");
    const [state, parent, group, ...rest] = stat.slice(nameEnd + 2).split(" ", 20);
    const name = stat.slice(stat.indexOf("(") + 1, nameEnd);
    const isZombie = state === "Z" || state === "X";
    return [{ pid, parent: Number(parent), group: Number(group), name, started: rest[16] ?? "", isZombie }];
  } catch {
    return [];
  }
}

/** The group has members, and /proc hides all of them (`hidepid`). Zombies are shown, and are nobody. */
function unseenGroup(group: number, all: readonly LinuxProcess[]): FoundProcess[] {
  return all.some((one) => one.group === group) ? [] : groupAsWhole(group);
}
