import { readdirSync, readFileSync, statSync } from "node:fs";
import { setImmediate } from "node:timers/promises";

const processesPerTurn = 100;

/** Visits every process in /proc. After each hundred, the event loop gets a turn, so that other runs are not blocked. */
export async function walkProcesses(visit: (pid: number) => void): Promise<void> {
  const pids = readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? Number(name) : []));
  for (let at = 0; at < pids.length; at += processesPerTurn) {
    for (const pid of pids.slice(at, at + processesPerTurn)) visit(pid);
    await setImmediate();
  }
}

/**
 * The same without processes that were there before us: none of them can belong to a run of ours. On a busy machine these are almost
 * all, and to ask for the number of a folder takes a fifth of the time that it takes to read a file in it.
 */
export function walkNewProcesses(visit: (pid: number) => void): Promise<void> {
  return walkProcesses((pid) => {
    if (!isOlderThanUs(pid)) visit(pid);
  });
}

/** What is known about the processes in /proc, by the number of the folder: a later process with the same pid has another one. */
const known = new Map<number, { folder: number; isOlder: boolean }>();
const maxKnown = 10_000;

function isOlderThanUs(pid: number): boolean {
  const folder = statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.ino;
  // It is gone, or hidden from us. Whoever reads it will see.
  if (folder === undefined) return false;
  const before = known.get(pid);
  if (before?.folder === folder) return before.isOlder;
  const isOlder = startOf(pid) < ownStart();
  if (known.size >= maxKnown) known.clear();
  known.set(pid, { folder, isOlder });
  return isOlder;
}

let own: number | undefined;

function ownStart(): number {
  own ??= startOf(process.pid);
  return own;
}

/** In the system's own units. Not a number, which is not less than any other, if that cannot be read. */
function startOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ", 20)[19]);
  } catch {
    return Number.NaN;
  }
}

/**
 * Shares a slow scan between all callers. Whoever calls during a scan gets the result of the next one, so a result is
 * never older than the call. A hundred simultaneous calls cost two scans.
 */
export function createSharedScan<T>(scan: () => Promise<T>): () => Promise<T> {
  let current: Promise<T> | undefined;
  let next: Promise<T> | undefined;

  function start(): Promise<T> {
    const started = scan().finally(() => {
      if (current === started) current = undefined;
    });
    current = started;
    return started;
  }

  async function startNext(before: Promise<T>): Promise<T> {
    await before.catch(() => undefined);
    next = undefined;
    return start();
  }

  return () => {
    if (next !== undefined) return next;
    if (current === undefined) return start();
    next = startNext(current);
    return next;
  };
}
