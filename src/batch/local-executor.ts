import { randomBytes } from "node:crypto";
import type { Executor, ExecutorHost } from "./executor.js";
import type { Cell } from "./model/cell.js";
import { limitDelay, retryDelay } from "./retries.js";
import type { AttemptContext, AttemptEnd } from "./run-cell.js";
import { createWaitingJobs, type Job } from "./waiting-jobs.js";

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

/**
 * Carries out cells in this process, in their order. A cell whose agent is at its limit does not hold up the others, and one that
 * waits for another attempt takes no place. A rate limit whose end is known holds back all cells of its agent.
 */
export function createLocalExecutor(options: LocalExecutorOptions): Executor {
  const stopping = new AbortController();
  const killing = new AbortController();
  return {
    run: (cells, host) => runCells(cells, { options, host, stopping, kill: killing.signal }),
    cancel() {
      if (stopping.signal.aborted) killing.abort();
      stopping.abort();
    },
  };
}

interface Running {
  options: LocalExecutorOptions;
  host: ExecutorHost;
  stopping: AbortController;
  kill: AbortSignal;
}

async function runCells(cells: readonly Cell[], { options, host, stopping, kill }: Running): Promise<void> {
  const { concurrency, limits } = options;
  const { signal } = stopping;
  const waiting = createWaitingJobs(cells);
  const running = new Map<string, number>();
  let total = 0;
  let timer: NodeJS.Timeout | undefined;
  let problem: { cause: unknown } | undefined;
  let finish: () => void = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });

  function isAccepted({ agent, cell }: Job): boolean {
    const limit = limits[agent] ?? Number.POSITIVE_INFINITY;
    // While nothing runs, nobody's end can be waited for. Cells that wait for another attempt keep their share of a budget, and two of
    // them would wait for each other forever.
    return (running.get(agent) ?? 0) < limit && (total === 0 || !host.mustWait(cell));
  }

  /** Starts what may start, and ends when nothing is left. */
  function pump(): void {
    clearTimeout(timer);
    while (total < concurrency && !signal.aborted) {
      const job = waiting.take(isAccepted);
      if (job === undefined) break;
      if (host.mayStart(job.cell)) start(job);
    }
    if (total === 0 && (signal.aborted || waiting.isEmpty)) return finish();
    const { nextMs } = waiting;
    if (total < concurrency && nextMs !== undefined) timer = setTimeout(pump, nextMs);
  }

  function start(job: Job): void {
    const { cell, agent, retries } = job;
    const attempt = ++job.attempts;
    const runId = createCellRunId(cell.id);
    count(agent, 1);
    host.started(cell, { attempt, runId });
    options
      .attempt(cell, { attempt, runId, retries: [...retries], signal, killSignal: kill })
      .then((end) => conclude(job, end))
      .catch((cause: unknown) => {
        // It was cancelled: there is nothing to say about the cell. Anything else must not be lost.
        if (signal.aborted) return;
        problem = { cause };
        stopping.abort();
      })
      .finally(() => {
        count(agent, -1);
        pump();
      });
  }

  function count(agent: string, more: 1 | -1): void {
    total += more;
    running.set(agent, (running.get(agent) ?? 0) + more);
  }

  function conclude(job: Job, end: AttemptEnd): void {
    if (end.kind === "done") return host.done(job.cell, end.result);
    const { runId, failure, costUsd } = end;
    const now = new Date();
    const delay = (options.retryDelay ?? retryDelay)(failure, job.attempts, now) ?? 0;
    const until = new Date(now.getTime() + delay).toISOString();
    job.retries.push({ runId, failure, until });
    host.retrying(job.cell, { attempt: job.attempts, runId, failure, until, costUsd });
    waiting.pause(job, delay, limitDelay(failure, now) !== undefined);
  }

  signal.addEventListener("abort", pump, { once: true });
  pump();
  await finished;
  if (problem !== undefined) throw problem.cause;
}

/** `c0123456789abcde-9f86d081884c`. Other users must not guess it: the run's own directory has this name. */
export function createCellRunId(cellId: string): string {
  return `${cellId}-${randomBytes(6).toString("hex")}`;
}
