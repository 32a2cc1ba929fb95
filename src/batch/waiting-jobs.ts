import { monotonicTime } from "../process/monotonic-time.js";
import { agentOf } from "./check-plan.js";
import type { Cell, Retry } from "./model/cell.js";

/** A cell that is not finished. */
export interface Job {
  readonly cell: Cell;
  readonly agent: string;
  /** Its place in the order of the cells. */
  readonly index: number;
  attempts: number;
  readonly retries: Retry[];
}

/** The cells that do not run now. */
export interface WaitingJobs {
  /** Takes the first job, in the order of the cells, that may start now and that is accepted. */
  take(isAccepted: (job: Job) => boolean): Job | undefined;
  /** The job waits before it may be taken again. `isForAgent`: so do all others of its agent. */
  pause(job: Job, delayMs: number, isForAgent: boolean): void;
  readonly isEmpty: boolean;
  /** When the next pause may be over, of those that were on when `take` looked. Undefined if there is none. */
  readonly nextMs: number | undefined;
}

/** Until when a job or an agent must wait. The clock may be set, so two are asked, and the earlier one counts. */
interface Pause {
  until: number;
  monotonicUntil: number;
}

/** A timer that is not longer notices that the clock was set. */
const maxSleepMs = 30_000;

export function createWaitingJobs(cells: readonly Cell[]): WaitingJobs {
  /** By arm. A look at the first of each is enough to choose. */
  const queues = new Map<string, Job[]>();
  const paused = new Map<Job, Pause>();
  const heldAgents = new Map<string, Pause>();
  for (const [index, cell] of cells.entries()) {
    const jobs = queues.get(cell.arm.id) ?? [];
    jobs.push({ cell, agent: agentOf(cell.arm), index, attempts: 0, retries: [] });
    queues.set(cell.arm.id, jobs);
  }
  // The first of a queue is taken off its end, which costs the same however long it is.
  for (const jobs of queues.values()) jobs.reverse();

  function returnPaused(): void {
    for (const [job, pause] of paused) {
      if (isOn(pause)) continue;
      paused.delete(job);
      queues.get(job.cell.arm.id)?.push(job);
    }
    for (const [agent, pause] of heldAgents) if (!isOn(pause)) heldAgents.delete(agent);
  }

  return {
    take(isAccepted) {
      returnPaused();
      let first: Job | undefined;
      for (const jobs of queues.values()) {
        const job = jobs.at(-1);
        if (job === undefined || (first !== undefined && first.index < job.index)) continue;
        if (!heldAgents.has(job.agent) && isAccepted(job)) first = job;
      }
      if (first !== undefined) queues.get(first.cell.arm.id)?.pop();
      return first;
    },
    pause(job, delayMs, isForAgent) {
      const pause = { until: Date.now() + delayMs, monotonicUntil: monotonicTime() + delayMs };
      paused.set(job, pause);
      if (isForAgent) heldAgents.set(job.agent, pause);
    },
    get isEmpty() {
      return paused.size === 0 && [...queues.values()].every((jobs) => jobs.length === 0);
    },
    get nextMs() {
      const now = monotonicTime();
      // Also those that have just run out: they were on when `take` looked, and nobody else would look again.
      const left = [...paused.values(), ...heldAgents.values()].map(
        ({ monotonicUntil }) => monotonicUntil - now,
      );
      return left.length === 0 ? undefined : Math.max(1, Math.min(maxSleepMs, ...left));
    },
  };
}

/** True as long as neither clock has reached it. */
function isOn(pause: Pause): boolean {
  return Date.now() < pause.until && monotonicTime() < pause.monotonicUntil;
}
