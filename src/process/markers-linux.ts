import { closeSync, openSync, readSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { runMarker } from "./environment.js";
import { listPids } from "./pids-linux.js";

const markerStart = Buffer.from(`${runMarker}=`);

let waiting: Promise<Map<string, number[]>> | undefined;

/**
 * The processes that carry a marker, by run, as of some moment after the call. Runs that ask at the same
 * time share one look: a hundred that end together cost one walk and not a hundred.
 */
export function readMarkers(): Promise<Map<string, number[]>> {
  waiting ??= setImmediate().then(() => {
    waiting = undefined;
    return walk();
  });
  return waiting;
}

async function walk(): Promise<Map<string, number[]>> {
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
