import { readdirSync, readFileSync, statSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { runMarker } from "./environment.js";
import type { ListedProcess } from "./processes.js";

const processesPerTurn = 100;
const markerStart = Buffer.from(`${runMarker}=`);

/** Reads /proc, in turns, so that the streams of other runs flow meanwhile. */
export async function listProcessesOfLinux(): Promise<ListedProcess[]> {
  const uid = process.geteuid?.();
  const found: ListedProcess[] = [];
  let turn = 0;
  for (const name of readdirSync("/proc")) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    if (++turn % processesPerTurn === 0) await setImmediate();
    const listed = readProcess(pid, uid);
    if (listed !== undefined) found.push(listed);
  }
  return found;
}

/** Undefined for what is gone, a zombie, or another user's. */
function readProcess(pid: number, uid: number | undefined): ListedProcess | undefined {
  try {
    if (statSync(`/proc/${pid}`).uid !== uid) return undefined;
    // pid (name) state ppid pgrp …; the name may hold anything, brackets included.
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const nameEnd = stat.lastIndexOf(")");
    const [state, , group] = stat.slice(nameEnd + 2).split(" ", 3);
    if (state === "Z" || state === "X") return undefined;
    const runId = readMarker(pid);
    return {
      pid,
      group: Number(group),
      name: stat.slice(stat.indexOf("(") + 1, nameEnd),
      ...(runId !== undefined && { runId }),
    };
  } catch {
    return undefined;
  }
}

function readMarker(pid: number): string | undefined {
  const environ = readEnviron(pid);
  for (let at = environ.indexOf(markerStart); at !== -1; at = environ.indexOf(markerStart, at + 1)) {
    if (at !== 0 && environ[at - 1] !== 0) continue;
    const end = environ.indexOf(0, at);
    return environ.toString("utf8", at + markerStart.length, end === -1 ? environ.length : end);
  }
  return undefined;
}

/** A process that has made itself undumpable keeps its environment from us, but is still in its group. */
function readEnviron(pid: number): Buffer {
  try {
    return readFileSync(`/proc/${pid}/environ`);
  } catch {
    return Buffer.alloc(0);
  }
}
