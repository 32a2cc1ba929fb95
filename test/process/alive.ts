import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** The pids of all processes with a run's mark, read from /proc in the simplest way. */
export function markedPids(runId: string): number[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const environ = readFileSync(`/proc/${name}/environ`, "latin1");
      return environ.split("\0").includes(`HARNESS_RUN_ID=${runId}`) ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}

/** True while a process is alive; a zombie is not. */
export function isAlive(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
}

/** Polls for a condition that no event announces. */
export async function until(condition: () => boolean, withinMs: number): Promise<void> {
  for (const deadline = Date.now() + withinMs; !condition(); await sleep(10)) {
    if (Date.now() > deadline) throw new Error(`it did not happen within ${withinMs} ms: ${condition}`);
  }
}
