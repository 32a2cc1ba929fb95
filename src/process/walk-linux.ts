import { readdirSync } from "node:fs";
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
