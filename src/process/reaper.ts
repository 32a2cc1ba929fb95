import { setTimeout as sleep } from "node:timers/promises";
import type { Cgroup } from "./cgroup-linux.js";
import { monotonicTime } from "./monotonic-time.js";
import type { FoundProcess } from "./processes.js";
import { createRunTargets } from "./run-targets.js";

export interface ReaperOptions {
  /** The agent's process, leader of its own process group. */
  pid: number;
  runId: string;
  /** Ends the agent itself. Whatever it leaves behind gets SIGTERM. */
  stopSignal: "SIGINT" | "SIGTERM" | "SIGKILL";
  /** The time between that signal and SIGKILL. */
  killAfterMs: number;
  /** The processes of the run that were seen while it was running. */
  seen: () => readonly FoundProcess[];
  /** The run's control group, if it has one. */
  cgroup?: Cgroup | undefined;
}

export interface Reaped {
  /** Names of the processes that were still running after the agent had ended by itself. */
  leftBehind: string[];
  /** Could not be ended: the kernel holds them, or they belong to another user now. */
  survivors: FoundProcess[];
}

export interface Reaper {
  /** Freezes every process of the run, asks them to end from the top down, and kills what is left after the delay. */
  stop(): void;
  /** Sends SIGKILL to every process of the run now. */
  kill(): void;
  /** To be called when the agent's process has ended. Resolves when no process of the run is alive. */
  finish(): Promise<Reaped>;
  /** Ends processes that were recognised as part of the run only after `finish`. */
  finishAlso(found: readonly FoundProcess[]): Promise<Reaped>;
  /** Resolves if not even SIGKILL has ended the agent's process: the kernel holds it. */
  readonly gaveUp: Promise<void>;
}

/** The children of an agent often end with it. They get this long before they count as left behind. */
const settleMs = 50;
const giveUpAfterKillMs = 3000;
const firstPauseMs = 5;
const maxPauseMs = 100;

/**
 * Ends all processes of a run: its group, marked processes that have left the group, those that were seen before, and the
 * descendants of all these. `run-targets.ts` says in which order, and why.
 */
export function createReaper(options: ReaperOptions): Reaper {
  const { killAfterMs } = options;
  const targets = createRunTargets({ ...options, hasAgentEnded: () => hasEnded });
  let isKilling = false;
  let hasScanned = false;
  let hasEnded = false;
  let reaping: Promise<FoundProcess[]> | undefined;
  let giveUp: () => void = () => {};
  const gaveUp = new Promise<void>((resolve) => {
    giveUp = resolve;
  });

  /** Scans, signals and scans again until nothing is found. Returns the processes that could not be ended. */
  async function reap(): Promise<FoundProcess[]> {
    let alive = await targets.findFrozen();
    const askedAt = monotonicTime();
    hasScanned = true;
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(maxPauseMs, pauseMs * 2)) {
      const elapsed = monotonicTime() - askedAt;
      if (isKilling) targets.kill(alive);
      else targets.ask(alive, elapsed);
      await sleep(pauseMs);
      if (elapsed >= killAfterMs) isKilling = true;
      alive = isKilling ? await targets.findFrozen() : await targets.findAlive();
      if (hasEnded && alive.length === 0) return targets.unreachable();
      if (elapsed < killAfterMs + giveUpAfterKillMs) continue;
      giveUp();
      return [...targets.unreachable(), ...alive];
    }
  }

  return {
    stop() {
      reaping ??= reap();
    },
    kill() {
      isKilling = true;
      if (hasScanned) targets.kill([]);
      reaping ??= reap();
    },
    async finish() {
      hasEnded = true;
      if (reaping !== undefined) return { leftBehind: [], survivors: await reaping };
      if ((await targets.findAlive()).length === 0) return { leftBehind: [], survivors: [] };
      await sleep(settleMs);
      const leftBehind = (await targets.findAlive()).map((one) => one.name);
      reaping ??= reap();
      return { leftBehind, survivors: await reaping };
    },
    async finishAlso(found) {
      if (found.length === 0) return { leftBehind: [], survivors: [] };
      targets.add(found);
      reaping = reap();
      return { leftBehind: found.map((one) => one.name), survivors: await reaping };
    },
    gaveUp,
  };
}
