import { randomBytes } from "node:crypto";
import { monotonicTime } from "../process/monotonic-time.js";
import { agentOf } from "./check-plan.js";
import type { Executor, ExecutorHost } from "./executor.js";
import type { Cell, Retry } from "./model/cell.js";
import { limitDelay, retryDelay } from "./retries.js";
import type { AttemptContext, AttemptEnd } from "./run-cell.js";

export interface LocalExecutorOptions {
  /** How many runs at once, in all and of one agent (`agentOf`). */
  concurrency: number;
  limits: Readonly<Record<string, number>>;
  /** Makes one attempt. Rejects only if it was cancelled. */
  attempt(cell: Cell, attempt: LocalAttempt): Promise<AttemptEnd>;
  /** For tests. */
  retryDelay?: typeof retryDelay;
}

export type LocalAttempt = Pick<AttemptContext, "attempt" | "runId" | "retries" | "signal" | "killSignal">;

/** A cell that is not finished. */
interface Job {
  cell: Cell;
  agent: string;
  /** Its place in the order of the cells. */
  index: number;
  attempts: number;
  retries: Retry[];
}

/** Until when a job or an agent must wait: the clock may be set, so both are asked, and the earlier one counts. */
interface Pause {
  until: number;
  monotonicUntil: number;
}

/** A timer that is not longer notices that the clock was set. */
const maxSleepMs = 30_000;

/**
 * Carries out cells in this process, in their order. A cell whose agent is at its limit does not hold up the others, and one that
 * waits for another attempt takes no place. A rate limit whose end is known holds back all cells of its agent.
 */
export function createLocalExecutor(options: LocalExecutorOptions): Executor {
  const { concurrency, limits } = options;
  /** By arm, in the order of the cells. A look at the first of each arm is enough to choose. */
  const queues = new Map<string, Job[]>();
  const paused = new Map<Job, Pause>();
  const heldAgents = new Map<string, Pause>();
  const running = new Map<string, number>();
  const stopping = new AbortController();
  const killing = new AbortController();
  let total = 0;
  let timer: NodeJS.Timeout | undefined;
  let finish: () => void = () => {};
  let problem: unknown;

  function enqueue(cells: readonly Cell[]): void {
    for (const [index, cell] of cells.entries()) {
      const jobs = queues.get(cell.arm.id) ?? [];
      jobs.push({ cell, agent: agentOf(cell.arm), index, attempts: 0, retries: [] });
      queues.set(cell.arm.id, jobs);
    }
    // The first of a queue is taken off its end, which costs the same however long it is.
    for (const jobs of queues.values()) jobs.reverse();
  }

  function isFree({ agent }: Job): boolean {
    if ((running.get(agent) ?? 0) >= (limits[agent] ?? Number.POSITIVE_INFINITY)) return false;
    return !isOn(heldAgents.get(agent));
  }

  /** The next job that may start now. */
  function next(host: ExecutorHost): Job | undefined {
    let first: Job | undefined;
    for (const jobs of queues.values()) {
      const job = jobs.at(-1);
      if (job === undefined || (first !== undefined && first.index < job.index)) continue;
      if (isFree(job) && !host.mustWait(job.cell)) first = job;
    }
    if (first !== undefined) queues.get(first.cell.arm.id)?.pop();
    return first;
  }

  /** Starts what may start, and ends when nothing is left. */
  function pump(host: ExecutorHost): void {
    for (const [job, pause] of paused) {
      if (isOn(pause)) continue;
      paused.delete(job);
      queues.get(job.cell.arm.id)?.push(job);
    }
    while (total < concurrency && !stopping.signal.aborted) {
      const job = next(host);
      if (job === undefined) break;
      if (host.mayStart(job.cell)) start(job, host);
    }
    clearTimeout(timer);
    if (total > 0 && total >= concurrency) return;
    const isEmpty = paused.size === 0 && [...queues.values()].every((jobs) => jobs.length === 0);
    if (total === 0 && (isEmpty || stopping.signal.aborted)) return finish();
    const pauses = [...paused.values(), ...heldAgents.values()].filter(isOn);
    if (pauses.length > 0) timer = setTimeout(() => pump(host), Math.min(maxSleepMs, shortest(pauses)));
  }

  function start(job: Job, host: ExecutorHost): void {
    const { cell, agent, retries } = job;
    const attempt = ++job.attempts;
    const runId = createCellRunId(cell.id);
    total += 1;
    running.set(agent, (running.get(agent) ?? 0) + 1);
    host.started(cell, { attempt, runId });
    const { signal } = stopping;
    options
      .attempt(cell, { attempt, runId, retries: [...retries], signal, killSignal: killing.signal })
      .then((end) => conclude(job, end, host))
      .catch((error: unknown) => {
        // It was cancelled: there is nothing to say about the cell. Anything else must not be lost.
        if (stopping.signal.aborted) return;
        problem = error;
        stopping.abort();
      })
      .finally(() => {
        total -= 1;
        running.set(agent, (running.get(agent) ?? 1) - 1);
        pump(host);
      });
  }

  function conclude(job: Job, end: AttemptEnd, host: ExecutorHost): void {
    if (end.kind === "done") return host.done(job.cell, end.result);
    const { runId, failure, costUsd } = end;
    const now = new Date();
    const delay = (options.retryDelay ?? retryDelay)(failure, job.attempts, now) ?? 0;
    const until = new Date(now.getTime() + delay).toISOString();
    const pause = { until: now.getTime() + delay, monotonicUntil: monotonicTime() + delay };
    job.retries.push({ runId, failure, until });
    host.retrying(job.cell, { attempt: job.attempts, runId, failure, until, costUsd });
    paused.set(job, pause);
    if (limitDelay(failure, now) !== undefined) heldAgents.set(job.agent, pause);
  }

  return {
    run(cells, host) {
      enqueue(cells);
      return new Promise((resolve, reject) => {
        finish = () => {
          clearTimeout(timer);
          if (problem === undefined) resolve();
          else reject(problem);
        };
        stopping.signal.addEventListener("abort", () => pump(host), { once: true });
        pump(host);
      });
    },
    cancel() {
      if (stopping.signal.aborted) killing.abort();
      stopping.abort();
    },
  };
}

/** `c0123456789abcde-9f86d081884c`. Other users must not guess it: the run's own directory has this name. */
export function createCellRunId(cellId: string): string {
  return `${cellId}-${randomBytes(6).toString("hex")}`;
}

/** True as long as neither clock has reached it. */
function isOn(pause: Pause | undefined): boolean {
  return pause !== undefined && Date.now() < pause.until && monotonicTime() < pause.monotonicUntil;
}

function shortest(pauses: readonly Pause[]): number {
  const now = monotonicTime();
  return Math.max(1, Math.min(...pauses.map(({ monotonicUntil }) => monotonicUntil - now)));
}
