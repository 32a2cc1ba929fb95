import { closeSync, openSync, readSync } from "node:fs";
import { systemCode } from "../errors.js";
import { markEnd, markStart, marksVariable } from "./environment.js";
import { createSharedScan, walkNewProcesses, walkProcesses } from "./walk-linux.js";

const marksStart = Buffer.from(`${marksVariable}=`);

/** The marked processes by run id, as of some moment after the call. Only our own runs: see `walkNewProcesses`. */
export const listMarked = createSharedScan(() => scan(walkNewProcesses));

/** The same with processes that were there before us: those of an earlier harness. */
export function listMarkedEarlier(): Promise<Map<string, number[]>> {
  return scan(walkProcesses);
}

/** True unless the last scan of new processes could read the environment of each. */
export function mayHideMarks(): boolean {
  return someAreHidden;
}

let someAreHidden = true;

async function scan(walk: typeof walkProcesses): Promise<Map<string, number[]>> {
  const byRun = new Map<string, number[]>();
  let isHidden = false;
  await walk((pid) => {
    const marks = readMarks(pid);
    if (marks === hiddenMarks) isHidden = true;
    for (const runId of marks) {
      const marked = byRun.get(runId);
      if (marked === undefined) byRun.set(runId, [pid]);
      else marked.push(pid);
    }
  });
  if (walk === walkNewProcesses) someAreHidden = isHidden;
  return byRun;
}

let buffer = Buffer.allocUnsafeSlow(64 * 1024);

/** Its environment may not be read: it is another user's, or protects itself. */
const hiddenMarks: readonly string[] = [];

/** The ids of the runs that a process belongs to. None if that cannot be read. */
function readMarks(pid: number): readonly string[] {
  let file: number | undefined;
  try {
    file = openSync(`/proc/${pid}/environ`, "r");
    let length = 0;
    for (let read = -1; read !== 0; length += read) {
      if (length === buffer.length) buffer = Buffer.concat([buffer, Buffer.allocUnsafeSlow(buffer.length)]);
      read = readSync(file, buffer, length, buffer.length - length, length);
    }
    return marksIn(buffer.subarray(0, length));
  } catch (error) {
    return systemCode(error) === "EACCES" ? hiddenMarks : [];
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function marksIn(environ: Buffer): string[] {
  for (let at = environ.indexOf(marksStart); at !== -1; at = environ.indexOf(marksStart, at + 1)) {
    if (at !== 0 && environ[at - 1] !== 0) continue;
    const end = environ.indexOf(0, at);
    return parseMarks(environ.toString("utf8", at + marksStart.length, end === -1 ? environ.length : end));
  }
  return [];
}

/** The run ids in the value of the variable. */
function parseMarks(value: string): string[] {
  return value
    .split(markEnd)
    .flatMap((mark) => (mark.startsWith(markStart) ? mark.slice(markStart.length) : []));
}
