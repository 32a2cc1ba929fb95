import { setTimeout as sleep } from "node:timers/promises";
import type { Cgroup } from "./cgroup-linux.js";
import { monotonicTime } from "./monotonic-time.js";
import { type FoundProcess, findProcesses } from "./processes.js";
import { send } from "./signal.js";
import { signalTreeOfWindows } from "./signal-windows.js";
import { countAncestors } from "./stop-order.js";

export interface ReaperOptions {
  /** The agent's process, leader of its own group. */
  pid: number;
  runId: string;
  /** What asks the agent itself to end; whatever it leaves gets SIGTERM. */
  stopSignal: "SIGINT" | "SIGTERM";
  /** How long after that comes SIGKILL. */
  killAfterMs: number;
  /** Who was seen of the run while it went on. */
  seen: () => readonly FoundProcess[];
  /** The run's control group, where it has one. */
  cgroup?: Cgroup | undefined;
}

/** What was still running when the agent itself had ended by its own will. */
export interface Reaped {
  leftBehind: string[];
  /** Could not be ended: the system itself keeps them, or another user owns them now. */
  survivors: FoundProcess[];
}

export interface Reaper {
  /** Freezes everything of the run, asks it to end from the top down, and kills what is left after the delay. */
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
/** Whoever does not go for this long may be waiting for a child that is still frozen. */
const thawAfterMs = 150;

/**
 * Ends a run's processes: its group, those that left the group and still carry the run's mark, those that were
 * seen before, and what descends from them.
 *
 * A run that is being stopped does nothing more. So everything is frozen first; then whoever has nobody above it is asked
 * to end and goes on, and its children are asked only when it is gone. An agent thus never sees its tools die, which it
 * would take for a failure that its model has to hear of, and tools do nothing while the agent ends. Two kinds go on
 * without being asked, since whoever was asked may be waiting for them: members of the agent's group (Codex is a
 * launcher that passes the signal on to the real program), and, after a moment, children of whoever is still there. What
 * is left after the delay is frozen, all of it, and killed, so that nobody is there to act on the death of another.
 */
export function createReaper(options: ReaperOptions): Reaper {
  const { pid, runId, stopSignal, killAfterMs, seen, cgroup } = options;
  const asked = new Set<number>();
  const frozen = new Set<number>();
  /** Those that we may not signal. */
  const refused = new Set<number>();
  let known: FoundProcess[] = [];
  let isKilling = false;
  let hasLooked = false;
  let hasEnded = false;
  let reaping: Promise<FoundProcess[]> | undefined;
  let giveUp: () => void = () => {};
  const gaveUp = new Promise<void>((resolve) => {
    giveUp = resolve;
  });

  /** Looks twice before it says "none": what forks while we look can slip through one look. */
  async function findAlive(): Promise<FoundProcess[]> {
    const wanted = { group: pid, runId, known: [...seen(), ...known], enclosed: cgroup?.pids() ?? [] };
    known = await findProcesses(wanted);
    if (known.length === 0) known = await findProcesses({ ...wanted, known });
    return known.filter((one) => !refused.has(one.pid));
  }

  /**
   * Freezes whoever is found, until nobody is left who could start another while we look: one that hides is
   * known by its parents alone, and those are about to end.
   */
  async function findFrozen(): Promise<FoundProcess[]> {
    // The group at once: a look takes its time.
    if (!hasEnded) signalGroup("SIGSTOP");
    let alive = await findAlive();
    const stopped = new Set<number>();
    const looks = process.platform === "linux" ? mostLooks : 1;
    for (let look = 0; look < looks && alive.some((one) => !stopped.has(one.pid)); look++) {
      for (const one of alive) {
        signalOne(one, "SIGSTOP");
        stopped.add(one.pid);
        frozen.add(one.pid);
      }
      if (look + 1 < looks) alive = await findAlive();
    }
    return alive;
  }

  /** Looks, signals and looks again, until nothing is found; gives those that would not go. */
  async function reap(): Promise<FoundProcess[]> {
    let alive = await findFrozen();
    const askedAt = monotonicTime();
    hasLooked = true;
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * 2)) {
      const elapsed = monotonicTime() - askedAt;
      if (isKilling) kill(alive);
      else ask(alive, elapsed);
      await sleep(pauseMs);
      if (elapsed >= killAfterMs) isKilling = true;
      alive = isKilling ? await findFrozen() : await findAlive();
      if (hasEnded && alive.length === 0) return unreachable();
      if (elapsed < killAfterMs + giveUpAfterKillMs) continue;
      giveUp();
      return [...unreachable(), ...alive];
    }
  }

  /** Those that we may not signal and that are still there. */
  function unreachable(): FoundProcess[] {
    return known.filter((one) => refused.has(one.pid));
  }

  /** From the top down: nobody is asked to end, or goes on, while somebody above it is on its way out. */
  function ask(alive: readonly FoundProcess[], elapsed: number): void {
    if (process.platform === "win32") askTree();
    const ancestors = countAncestors(alive);
    const thawedAncestors = Math.floor(elapsed / thawAfterMs);
    for (const one of alive) {
      const above = ancestors.get(one.pid) ?? 0;
      if (above === 0 && !asked.has(one.pid)) {
        signalOne(one, one.pid === pid ? stopSignal : "SIGTERM");
        asked.add(one.pid);
      }
      const goesOn = above <= thawedAncestors || one.group === pid;
      if (goesOn && frozen.delete(one.pid)) signalOne(one, "SIGCONT");
    }
  }

  function kill(alive: readonly FoundProcess[]): void {
    if (process.platform !== "win32") signalGroup("SIGKILL");
    else if (!hasEnded) signalTreeOfWindows(pid, "SIGKILL");
    for (const one of alive) signalOne(one, "SIGKILL");
    cgroup?.kill();
  }

  function signalOne(one: FoundProcess, name: NodeJS.Signals): void {
    if (send(one.pid, name) === "refused") refused.add(one.pid);
  }

  function signalGroup(name: NodeJS.Signals): void {
    if (process.platform !== "win32") send(-pid, name);
  }

  function askTree(): void {
    if (hasEnded || asked.has(pid)) return;
    asked.add(pid);
    signalTreeOfWindows(pid, "SIGTERM");
  }

  return {
    stop() {
      reaping ??= reap();
    },
    kill() {
      isKilling = true;
      if (hasLooked) kill([]);
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
