import { execFile } from "node:child_process";
import { countAncestors } from "./process-tree.js";
import { type FoundProcess, findProcesses } from "./processes.js";
import type { ReaperOptions } from "./reaper.js";
import { send } from "./signal.js";

/** The living processes of one run, as the targets of signals. */
export interface RunTargets {
  /** All that are alive and can be signalled. */
  findAlive(): Promise<FoundProcess[]>;
  /** The same, after freezing them with SIGSTOP. */
  findFrozen(): Promise<FoundProcess[]>;
  /** Asks those to end whose turn it is, `elapsed` milliseconds after the first were asked. */
  ask(alive: readonly FoundProcess[], elapsed: number): void;
  /** Sends SIGKILL to the agent's group, to these processes, and to the control group. */
  kill(alive: readonly FoundProcess[]): void;
  /** Adds processes that were recognised in another way. */
  add(found: readonly FoundProcess[]): void;
  /** Those that are alive and that we are not permitted to signal. */
  unreachable(): FoundProcess[];
}

export interface RunTargetsOptions extends ReaperOptions {
  hasAgentEnded(): boolean;
}

const maxScans = 5;
/** A process that does not end for this long may be waiting for a child that is still frozen. */
const thawAfterMs = 150;

/**
 * Stops the processes of a run in an order in which none of them acts on the end of another.
 *
 * Everything is frozen first, so that a run that is being stopped does nothing more. Then the processes without a living
 * ancestor in the run are thawed and asked to end. Their children are asked when they are gone. So an agent never sees
 * its tools die, which it would report to its model as a failure, and tools do nothing while the agent ends.
 *
 * Two kinds of processes are thawed without being asked, since a process that was asked may be waiting for them: members
 * of the agent's group (Codex is a launcher that forwards the signal to the real program), and, after a moment, children
 * of processes that are still there. What is left after the delay is frozen again, all of it, and killed.
 */
export function createRunTargets(options: RunTargetsOptions): RunTargets {
  const { pid, runId, stopSignal, seen, cgroup, hasAgentEnded } = options;
  const asked = new Set<number>();
  const frozen = new Set<number>();
  const refused = new Set<number>();
  let known: FoundProcess[] = [];

  /** Scans twice before it reports none: one scan can miss a process that is just forking. */
  async function findAlive(): Promise<FoundProcess[]> {
    const wanted = { group: pid, runId, known: [...seen(), ...known], enclosed: cgroup?.pids() ?? [] };
    known = await findProcesses(wanted);
    if (known.length === 0) known = await findProcesses({ ...wanted, known });
    return known.filter((one) => !refused.has(one.pid));
  }

  /**
   * Freezes and scans until no process is left that could start another one meanwhile. A process that hides is recognised
   * only by its parents, and they are about to end.
   */
  async function findFrozen(): Promise<FoundProcess[]> {
    // The group is frozen at once, because a scan takes time.
    if (!hasAgentEnded()) signalGroup(pid, "SIGSTOP");
    let alive = await findAlive();
    const stopped = new Set<number>();
    const scans = process.platform === "linux" ? maxScans : 1;
    for (let scan = 0; scan < scans && alive.some((one) => !stopped.has(one.pid)); scan++) {
      for (const one of alive) {
        signalOne(one, "SIGSTOP");
        stopped.add(one.pid);
        frozen.add(one.pid);
      }
      if (scan + 1 < scans) alive = await findAlive();
    }
    return alive;
  }

  /** From the top down: no process is asked or thawed while an ancestor is still ending. */
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
      const isThawed = above <= thawedAncestors || one.group === pid;
      if (isThawed && frozen.delete(one.pid)) signalOne(one, "SIGCONT");
    }
  }

  function askTree(): void {
    if (hasAgentEnded() || asked.has(pid)) return;
    asked.add(pid);
    signalTreeOfWindows(pid, "SIGTERM");
  }

  function kill(alive: readonly FoundProcess[]): void {
    if (process.platform !== "win32") signalGroup(pid, "SIGKILL");
    else if (!hasAgentEnded()) signalTreeOfWindows(pid, "SIGKILL");
    for (const one of alive) signalOne(one, "SIGKILL");
    cgroup?.kill();
  }

  function signalOne(one: FoundProcess, name: NodeJS.Signals): void {
    if (send(one.pid, name) === "refused") refused.add(one.pid);
  }

  return {
    findAlive,
    findFrozen,
    ask,
    kill,
    add(found) {
      known = [...known, ...found];
    },
    unreachable: () => known.filter((one) => refused.has(one.pid)),
  };
}

function signalGroup(group: number, name: NodeJS.Signals): void {
  if (process.platform !== "win32") send(-group, name);
}

/**
 * Windows has neither signals nor process groups. `taskkill /T` ends a process and all its descendants, politely or (`/F`)
 * at once. It is started directly, not through a shell.
 */
function signalTreeOfWindows(pid: number, signal: "SIGTERM" | "SIGKILL"): void {
  const args = ["/T", "/PID", String(pid), ...(signal === "SIGKILL" ? ["/F"] : [])];
  execFile("taskkill", args, { windowsHide: true }, () => {});
}
