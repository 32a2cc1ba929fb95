import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** By what the processes of one try are known: what is in their arguments, and in their environment. */
export interface Traces {
  token: string;
  runId?: string | undefined;
}

/** Long enough for a machine that has other things to do; a process that is left is there for an hour. */
const longestMs = 20_000;
const pauseMs = 200;

interface Seen {
  pid: number;
  command: string;
  environment: string;
}

let latest: { at: number; all: Seen[] } | undefined;

/** Who is left, and after how long that was so. */
export interface Survivors {
  left: number;
  afterMs: number;
}

/** Waits until nothing of a try is alive, or for a long time. */
export async function waitForSurvivors(traces: Traces): Promise<Survivors> {
  const startedAt = performance.now();
  for (;;) {
    const pids = survivors(traces, startedAt);
    const afterMs = Math.round(performance.now() - startedAt);
    if (pids.length === 0 || afterMs > longestMs) return { left: remove(pids), afterMs };
    await sleep(pauseMs);
  }
}

/** Counts who is alive right now. */
export function countSurvivors(traces: Traces): number {
  return remove(survivors(traces, performance.now()));
}

/** What this suite finds, it does not leave to others. */
function remove(pids: readonly number[]): number {
  for (const pid of pids) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It went by itself in the meantime.
    }
  }
  return pids.length;
}

/** Who is alive: as of now, or of a look that others took a moment ago, if that was not before `since`. */
function survivors({ token, runId }: Traces, since: number): number[] {
  const now = performance.now();
  if (latest === undefined || latest.at < since || latest.at < now - pauseMs)
    latest = { at: now, all: look() };
  const marker = runId === undefined ? undefined : `HARNESS_RUN_ID=${runId}\0`;
  return latest.all
    .filter(({ command, environment }) => {
      return command.includes(token) || (marker !== undefined && environment.includes(marker));
    })
    .map(({ pid }) => pid);
}

/** All processes but ourselves, in the plainest way. Of a zombie neither can be read. */
function look(): Seen[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return [];
    const command = readIfThere(`/proc/${name}/cmdline`);
    if (command === "") return [];
    return [{ pid: Number(name), command, environment: `${readIfThere(`/proc/${name}/environ`)}\0` }];
  });
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}
