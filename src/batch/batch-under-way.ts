import { setMaxListeners } from "node:events";
import { messageOf } from "../errors.js";
import type { Failure } from "../events/failure.js";
import type { Batch } from "./batch.js";
import type { Budget } from "./budget.js";
import { agentOf } from "./check-plan.js";
import type { Executor, ExecutorHost } from "./executor.js";
import { type Ledger, openLedger } from "./ledger.js";
import { type BatchStateReader, stopCells } from "./model/batch-state.js";
import type { Cell, Retry } from "./model/cell.js";
import type { EndedLine, LedgerLine } from "./model/ledger-line.js";
import type { BatchPlaces } from "./places.js";
import { followLedger } from "./read-ledger.js";
import { createReport } from "./report/create-report.js";
import { watchFirstCells } from "./stopped-agents.js";

export interface BatchStart {
  batchId: string;
  places: BatchPlaces;
  reader: BatchStateReader;
  /** The complete lines of the ledger, in bytes. */
  bytes: number;
  /** The first line of this process. */
  first: LedgerLine;
  /** What is to be run. */
  cells: readonly Cell[];
  /** What was tried before the batch was resumed, by the cells' ids. */
  earlier: ReadonlyMap<string, Earlier>;
  budget: Budget;
  executor: Executor;
  warnings: string[];
  signal: AbortSignal | undefined;
  /** When nothing runs any more. */
  release(): void | Promise<void>;
}

export interface Earlier {
  attempts: number;
  retries: readonly Retry[];
}

type StopCause = "cancelled" | "problem";

/** Runs the cells of a batch. What happens is in the ledger first; the state and the readers follow it. */
export function carryOut(start: BatchStart): Batch {
  const { places, reader, executor, warnings, signal, batchId } = start;
  let problem: string | undefined;
  let stopCause: StopCause | undefined;
  let hasEnded = false;
  let waiting: (() => void)[] = [];

  function wake(): void {
    const woken = waiting;
    waiting = [];
    for (const one of woken) one();
  }

  function stop(cause: StopCause): void {
    if (hasEnded) return;
    stopCause ??= cause;
    executor.cancel();
  }

  function fail(sentence: string): void {
    problem ??= sentence;
    stop("problem");
  }

  const ledger = openLedger({
    path: places.ledger,
    bytes: start.bytes,
    onSynced(lines) {
      for (const line of lines) reader.apply(line);
      wake();
    },
    onProblem: fail,
  });
  const host = createHost(start, ledger, () => stopCause !== undefined);
  const cancel = (): void => stop("cancelled");

  async function carry(): Promise<void> {
    ledger.append(start.first);
    if (signal?.aborted) cancel();
    listenTo(signal, cancel);
    await executor.run(start.cells, host).catch((error: unknown) => fail(messageOf(error)));
    signal?.removeEventListener("abort", cancel);
    const reason: EndedLine["reason"] =
      stopCause === "cancelled" ? "cancelled" : host.isOverBudget ? "budget" : "completed";
    if (problem === undefined) ledger.append({ type: "ended", at: now(), reason });
    await ledger.close();
    if (problem !== undefined) stopCells(reader.state.cells.values());
  }

  const result = carry()
    .catch((error: unknown) => fail(messageOf(error)))
    .then(() => start.release())
    .catch((error: unknown) => void warnings.push(messageOf(error)))
    .then(() => {
      hasEnded = true;
      wake();
      return reader.state;
    });
  const feed = {
    get syncedBytes() {
      return ledger.syncedBytes;
    },
    get hasEnded() {
      return hasEnded;
    },
    changed: () => new Promise<void>((resolve) => void waiting.push(resolve)),
  };
  return {
    batchId,
    directory: places.directory,
    state: reader.state,
    get report() {
      return createReport(reader.state);
    },
    result,
    warnings,
    get problem() {
      return problem;
    },
    cancel,
    [Symbol.asyncIterator]: () => followLedger(places.ledger, start.bytes, feed),
  };
}

interface Host extends ExecutorHost {
  readonly isOverBudget: boolean;
}

function createHost(start: BatchStart, ledger: Ledger, isStopping: () => boolean): Host {
  const { budget, cells, warnings, reader } = start;
  const firstCells = watchFirstCells(cells);
  const stoppedAgents = new Map<string, Failure>();
  const begun = new Set<string>();
  const skipped = new Set<string>();
  const ended = new Set<string>();
  const freeArms = new Set<string>();
  let isOverBudget = false;

  function skip(cell: Cell, failure: Failure): void {
    budget.end(cell, false);
    if (ended.has(cell.id) || skipped.has(cell.id)) return;
    skipped.add(cell.id);
    const reason = `${agentOf(cell.arm)} was stopped, because its first cells all failed: ${failure.message}`;
    ledger.append({ type: "skipped", at: now(), cellId: cell.id, reason });
  }

  function stopAgent(agent: string, failure: Failure): void {
    stoppedAgents.set(agent, failure);
    ledger.append({ type: "agent_stopped", at: now(), agent, failure });
    for (const cell of cells) if (agentOf(cell.arm) === agent && !begun.has(cell.id)) skip(cell, failure);
  }

  function warnIfFree({ arm }: Cell): void {
    if (reader.state.head.plan.budgetUsd === undefined || freeArms.has(arm.id) || !budget.isFree(arm.id))
      return;
    freeArms.add(arm.id);
    warnings.push(
      `${arm.id} reports no cost, and its model has no known price: the budget does not limit it`,
    );
  }

  return {
    get isOverBudget() {
      return isOverBudget;
    },
    mustWait: (cell) => !isStopping() && budget.ask(cell) === "wait",
    mayStart(cell) {
      if (isStopping() || ended.has(cell.id)) return false;
      const failure = stoppedAgents.get(agentOf(cell.arm));
      if (failure !== undefined) {
        skip(cell, failure);
        return false;
      }
      const isOver = budget.ask(cell) === "over";
      if (isOver) budget.end(cell, false);
      else budget.begin(cell);
      isOverBudget ||= isOver;
      return !isOver;
    },
    started(cell, { attempt, runId, worker }) {
      begun.add(cell.id);
      const attempts = attempt + (start.earlier.get(cell.id)?.attempts ?? 0);
      const by = worker === undefined ? {} : { worker };
      ledger.append({ type: "started", at: now(), cellId: cell.id, attempt: attempts, runId, ...by });
    },
    retrying(cell, { attempt, ...retry }) {
      budget.spend(cell, retry.costUsd);
      const attempts = attempt + (start.earlier.get(cell.id)?.attempts ?? 0);
      ledger.append({ type: "retrying", at: now(), cellId: cell.id, attempt: attempts, ...retry });
    },
    done(cell, result) {
      // The first result of a cell counts. A queue may give out a cell twice.
      if (ended.has(cell.id)) return;
      ended.add(cell.id);
      begun.add(cell.id);
      const { attempts, retries } = start.earlier.get(cell.id) ?? { attempts: 0, retries: [] };
      const all = { attempts: attempts + result.attempts, retries: [...retries, ...result.retries] };
      ledger.append({ type: "done", at: now(), ...result, ...all });
      budget.spend(cell, result.costUsd);
      budget.end(cell, result.verdict !== "error");
      warnIfFree(cell);
      const failure = firstCells.add(cell, result);
      if (failure !== undefined) stopAgent(agentOf(cell.arm), failure);
    },
  };
}

function now(): string {
  return new Date().toISOString();
}

/** Many batches may share a signal. */
function listenTo(signal: AbortSignal | undefined, cancel: () => void): void {
  if (signal === undefined) return;
  setMaxListeners(0, signal);
  signal.addEventListener("abort", cancel, { once: true });
}
