import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** How to recognise the processes of one try: by their arguments and their environment. */
export interface Traces {
  token: string;
  runId?: string | undefined;
}

/** Long enough for a busy machine. A process that is left behind lives for an hour. */
const longestMs = 20_000;
const pauseMs = 200;

interface Seen {
  pid: number;
  command: string;
  environment: string;
}

let latest: { at: number; all: Seen[] } | undefined;

/** The number of processes that are left, and the time that was waited. */
export interface Survivors {
  left: number;
  afterMs: number;
}

/** Waits until no process of a try is alive, up to a limit. */
export async function waitForSurvivors(traces: Traces): Promise<Survivors> {
  const startedAt = performance.now();
  for (;;) {
    const pids = survivors(traces, startedAt);
    const afterMs = Math.round(performance.now() - startedAt);
    if (pids.length === 0 || afterMs > longestMs) return { left: remove(pids), afterMs };
    await sleep(pauseMs);
  }
}

/** Counts the processes that are alive right now. */
export function countSurvivors(traces: Traces): number {
  return remove(survivors(traces, performance.now()));
}

/** Kills what is left, so that this suite leaves nothing behind. */
function remove(pids: readonly number[]): number {
  for (const pid of pids) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended by itself in the meantime.
    }
  }
  return pids.length;
}

/** All living processes, from a new scan or from a recent one that was not made before `since`. */
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

/** All processes except our own, in the simplest way. A zombie has neither arguments nor an environment. */
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
