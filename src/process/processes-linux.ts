import { readFileSync, statSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { withDescendants } from "./descendants.js";
import { readMarkers } from "./markers-linux.js";
import { listPids } from "./pids-linux.js";
import type { FoundProcess, RunProcesses } from "./processes.js";
import { createSharedLook } from "./shared-look.js";

/**
 * Looks through /proc. Markers are always looked for; the walk over all processes, for the group and
 * for descendants without a marker, is made only when there is somebody to descend from.
 */
export async function findProcessesOfLinux(wanted: RunProcesses): Promise<FoundProcess[]> {
  const { group, runId, known } = wanted;
  try {
    const marked = new Set((await readMarkers()).get(runId));
    if (marked.size === 0 && known.length === 0 && !hasMembers(group)) return [];
    const all = await listProcesses();
    const isKnown = isOneOf(known);
    return withDescendants(all, (one) => one.group === group || marked.has(one.pid) || isKnown(one));
  } catch {
    // Without /proc only the group can be seen, and only as a whole.
    return hasMembers(group) ? [{ pid: group, group, name: "unknown" }] : [];
  }
}

/** Tells the processes that are among these from later ones with the same numbers. */
export function isOneOf(known: readonly FoundProcess[]): (one: FoundProcess) => boolean {
  const starts = new Map(known.map(({ pid, started }) => [pid, started]));
  return ({ pid, started }) => starts.has(pid) && starts.get(pid) === started;
}

/** All processes, as of some moment after the call. */
export const listProcesses = createSharedLook(walk);

async function walk(): Promise<LinuxProcess[]> {
  const all: LinuxProcess[] = [];
  for (const pids of listPids()) {
    for (const pid of pids) all.push(...readProcess(pid));
    await setImmediate();
  }
  return all;
}

/** Zombies count here, so that a yes is only a reason to look closer. */
function hasMembers(group: number): boolean {
  try {
    process.kill(-group, 0);
    return true;
  } catch {
    return false;
  }
}

export interface LinuxProcess extends FoundProcess {
  parent: number;
}

/** None for what is gone, a zombie, another user's, or ourselves. */
export function readProcess(pid: number): LinuxProcess[] {
  try {
    // pid (name) state ppid pgrp … starttime; the name may hold anything, brackets included.
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const nameEnd = stat.lastIndexOf(")");
    const fields = stat.slice(nameEnd + 2).split(" ", 20);
    if (fields[0] === "Z" || fields[0] === "X" || pid === process.pid) return [];
    if (statSync(`/proc/${pid}`).uid !== process.geteuid?.()) return [];
    const name = stat.slice(stat.indexOf("(") + 1, nameEnd);
    return [{ pid, parent: Number(fields[1]), group: Number(fields[2]), name, started: fields[19] ?? "" }];
  } catch {
    return [];
  }
}
