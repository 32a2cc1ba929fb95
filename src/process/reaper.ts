import { setTimeout as sleep } from "node:timers/promises";
import { monotonicTime } from "./monotonic-time.js";
import { type FoundProcess, findProcesses } from "./processes.js";
import { signalTreeOfWindows } from "./signal-windows.js";

export interface ReaperOptions {
  /** The agent's process, leader of its own group. */
  pid: number;
  runId: string;
  /** How long after SIGTERM comes SIGKILL. */
  killAfterMs: number;
  /** Who was seen of the run while it went on. */
  seen: () => readonly FoundProcess[];
}

/** What was still running when the agent itself had ended by its own will. */
export interface Reaped {
  leftBehind: string[];
  /** Could not be ended: the system itself keeps them (or another user owns them now). */
  survivors: number[];
}

export interface Reaper {
  /** SIGTERM to everything of the run; SIGKILL to what is left after the delay. Only the first call counts. */
  stop(): void;
  /** SIGKILL to everything of the run, now. */
  kill(): void;
  /** Call it when the agent's process has ended. Resolves when nothing of the run is alive. */
  finish(): Promise<Reaped>;
  /** Ends processes that turned out to be of the run only after `finish`. */
  finishAlso(found: readonly FoundProcess[]): Promise<Reaped>;
  /** Resolves when even SIGKILL has not ended the agent's process, which the system then holds. */
  readonly gaveUp: Promise<void>;
}

/** Children of an agent that ends often end with it: they get this long before they are counted. */
const settleMs = 50;
const giveUpAfterKillMs = 3000;
const firstPauseMs = 5;
const longestPauseMs = 100;
const mostLooks = 5;

/**
 * Ends a run's processes: its group, those that left the group and still carry the run's mark, those that were
 * seen before, and what descends from them. All get SIGTERM before SIGKILL, and are looked for until there
 * are none.
 */
export function createReaper({ pid, runId, killAfterMs, seen }: ReaperOptions): Reaper {
  const told = new Set<number>();
  let known: FoundProcess[] = [];
  let isKilling = false;
  let hasLooked = false;
  let hasEnded = false;
  let reaping: Promise<number[]> | undefined;
  let giveUp: () => void = () => {};
  const gaveUp = new Promise<void>((resolve) => {
    giveUp = resolve;
  });

  /** Looks twice before it says "none": what forks while we look can slip through one look. */
  async function findAlive(): Promise<FoundProcess[]> {
    const wanted = { group: pid, runId, known: [...seen(), ...known] };
    known = await findProcesses(wanted);
    if (known.length === 0) known = await findProcesses({ ...wanted, known });
    return known;
  }

  /**
   * Stops whoever is found, until nobody is left who could start another while we look: one that hides is
   * known by its parents alone, and those are about to end.
   */
  async function findFrozen(): Promise<FoundProcess[]> {
    let alive = await findAlive();
    if (process.platform !== "linux") return alive;
    const frozen = new Set<number>();
    for (let look = 0; look < mostLooks && alive.some((one) => !frozen.has(one.pid)); look++) {
      for (const one of alive) {
        signal(one.pid, "SIGSTOP");
        frozen.add(one.pid);
      }
      alive = await findAlive();
    }
    return alive;
  }

  /** Looks, signals and looks again, until nothing is found; gives the pids that would not go. */
  async function reap(): Promise<number[]> {
    const startedAt = monotonicTime();
    let alive = await findFrozen();
    hasLooked = true;
    signalGroup(isKilling ? "SIGKILL" : "SIGTERM");
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * 2)) {
      for (const one of alive) signalOne(one);
      if (pauseMs === firstPauseMs) for (const one of alive) signal(one.pid, "SIGCONT");
      await sleep(pauseMs);
      const elapsed = monotonicTime() - startedAt;
      if (elapsed >= killAfterMs) isKilling = true;
      if (isKilling) signalGroup("SIGKILL");
      alive = await findAlive();
      if (hasEnded && alive.length === 0) return [];
      if (elapsed < killAfterMs + giveUpAfterKillMs) continue;
      giveUp();
      return alive.map((one) => one.pid);
    }
  }

  /** SIGTERM once to each that the group's signal did not reach, SIGKILL as often as it takes. */
  function signalOne(one: FoundProcess): void {
    if (isKilling) signal(one.pid, "SIGKILL");
    else if (one.group !== pid && !told.has(one.pid)) signal(one.pid, "SIGTERM");
    told.add(one.pid);
  }

  function signalGroup(name: "SIGTERM" | "SIGKILL"): void {
    if (process.platform !== "win32") signal(-pid, name);
    else if (!hasEnded) signalTreeOfWindows(pid, name);
  }

  return {
    stop() {
      reaping ??= reap();
    },
    kill() {
      isKilling = true;
      if (hasLooked) signalGroup("SIGKILL");
      reaping ??= reap();
    },
    async finish() {
      hasEnded = true;
      if (reaping !== undefined) return { leftBehind: [], survivors: await reaping };
      if ((await findAlive()).length === 0) return { leftBehind: [], survivors: [] };
      await sleep(settleMs);
      const leftBehind = (await findAlive()).map((one) => one.name);
      reaping ??= reap();
      return { leftBehind, survivors: await reaping };
    },
    async finishAlso(found) {
      if (found.length === 0) return { leftBehind: [], survivors: [] };
      known = [...known, ...found];
      reaping = reap();
      return { leftBehind: found.map((one) => one.name), survivors: await reaping };
    },
    gaveUp,
  };
}

/** What is gone already, or never was ours, needs no signal. */
function signal(target: number, name: "SIGTERM" | "SIGKILL" | "SIGSTOP" | "SIGCONT"): void {
  try {
    process.kill(target, name);
  } catch {
    // ESRCH, EPERM: the next look tells.
  }
}
