import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { runMarker } from "./environment.js";
import type { FoundProcess, RunProcesses } from "./processes.js";

const processesPerTurn = 100;
const markerStart = Buffer.from(`${runMarker}=`);

/** Looks through /proc: by marker always, by group only when the group has a member. */
export async function findProcessesOfLinux({ group, runId }: RunProcesses): Promise<FoundProcess[]> {
  const marked = (await readMarkers()).get(runId) ?? [];
  const found: FoundProcess[] = [];
  for (const pids of hasMembers(group) ? listPids() : [marked]) {
    for (const pid of pids) {
      const one = readProcess(pid);
      if (one !== undefined && (one.group === group || marked.includes(pid))) found.push(one);
    }
    await setImmediate();
  }
  return found;
}

let waiting: Promise<Map<string, number[]>> | undefined;

/**
 * The processes that carry a marker, by run, as of some moment after the call. Runs that ask at the same
 * time share one look: a hundred that end together cost one walk and not a hundred.
 */
function readMarkers(): Promise<Map<string, number[]>> {
  waiting ??= setImmediate().then(() => {
    waiting = undefined;
    return walkMarkers();
  });
  return waiting;
}

async function walkMarkers(): Promise<Map<string, number[]>> {
  const byRun = new Map<string, number[]>();
  for (const pids of listPids()) {
    for (const pid of pids) {
      const runId = readMarker(pid);
      if (runId !== undefined) byRun.set(runId, [...(byRun.get(runId) ?? []), pid]);
    }
    await setImmediate();
  }
  return byRun;
}

/** Every process, a hundred at a time, so that other runs can have a turn in between. */
function* listPids(): Generator<number[]> {
  const pids = readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? Number(name) : []));
  for (let at = 0; at < pids.length; at += processesPerTurn) yield pids.slice(at, at + processesPerTurn);
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

/** Undefined for what is gone, a zombie, or another user's. */
function readProcess(pid: number): FoundProcess | undefined {
  try {
    // pid (name) state ppid pgrp …; the name may hold anything, brackets included.
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const nameEnd = stat.lastIndexOf(")");
    const [state, , group] = stat.slice(nameEnd + 2).split(" ", 3);
    if (state === "Z" || state === "X" || pid === process.pid) return undefined;
    if (statSync(`/proc/${pid}`).uid !== process.geteuid?.()) return undefined;
    return { pid, group: Number(group), name: stat.slice(stat.indexOf("(") + 1, nameEnd) };
  } catch {
    return undefined;
  }
}

let buffer = Buffer.allocUnsafeSlow(64 * 1024);

/** The run that a process belongs to. What may not be read is another user's. */
function readMarker(pid: number): string | undefined {
  let file: number | undefined;
  try {
    file = openSync(`/proc/${pid}/environ`, "r");
    let length = 0;
    for (let read = -1; read !== 0; length += read) {
      if (length === buffer.length) buffer = Buffer.concat([buffer, Buffer.allocUnsafeSlow(buffer.length)]);
      read = readSync(file, buffer, length, buffer.length - length, length);
    }
    return markerIn(buffer.subarray(0, length));
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function markerIn(environ: Buffer): string | undefined {
  for (let at = environ.indexOf(markerStart); at !== -1; at = environ.indexOf(markerStart, at + 1)) {
    if (at !== 0 && environ[at - 1] !== 0) continue;
    const end = environ.indexOf(0, at);
    return environ.toString("utf8", at + markerStart.length, end === -1 ? environ.length : end);
  }
  return undefined;
}
