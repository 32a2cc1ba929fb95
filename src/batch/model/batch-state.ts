import type { Failure } from "../../events/failure.js";
import type { Cell, CellResult } from "./cell.js";
import type { BatchLine, EndedLine, LedgerLine } from "./ledger-line.js";

/** `waiting`: not begun, or begun by a harness that was killed. `retrying`: waits for `until`. */
export type CellStatus = "waiting" | "running" | "retrying" | "done" | "skipped";

/** One cell of a batch and how far it is. */
export interface CellState {
  cell: Cell;
  status: CellStatus;
  attempts: number;
  /** Of the latest attempt. */
  runId?: string | undefined;
  worker?: string | undefined;
  startedAt?: string | undefined;
  /** When a cell that is `retrying` is tried again, and why it must be. */
  until?: string | undefined;
  failure?: Failure | undefined;
  /** Why it is `skipped`. */
  reason?: string | undefined;
  result?: CellResult | undefined;
}

/** A batch as its ledger says. */
export interface BatchState {
  head: BatchLine;
  /** By the ids of the cells, in the order of the plan. */
  cells: ReadonlyMap<string, CellState>;
  stoppedAgents: ReadonlyMap<string, Failure>;
  /** Absent while it runs, and if it was killed. */
  ended?: EndedLine | undefined;
  /** Of all attempts whose cost is known. */
  costUsd: number;
}

/** Takes lines of a ledger one by one. The state is the same object all the time. */
export interface BatchStateReader {
  readonly state: BatchState;
  /** A line for a cell that the plan does not have is ignored. */
  apply(line: LedgerLine): void;
}

export function createBatchState(head: BatchLine, cells: readonly Cell[]): BatchStateReader {
  const states = new Map<string, CellState>(
    cells.map((cell) => [cell.id, { cell, status: "waiting", attempts: 0 }]),
  );
  const stoppedAgents = new Map<string, Failure>();
  const state: { -readonly [K in keyof BatchState]: BatchState[K] } = {
    head,
    cells: states,
    stoppedAgents,
    costUsd: 0,
  };
  return {
    state,
    apply(line) {
      if (line.type === "ended") end(state, states, line);
      else if (line.type === "resumed") resume(state, states, stoppedAgents);
      else if (line.type === "agent_stopped") stoppedAgents.set(line.agent, line.failure);
      else if (line.type !== "batch") applyToCell(state, states.get(line.cellId), line);
    },
  };
}

/** What was cancelled is missing, as if it had not begun. */
function end(
  state: { ended?: EndedLine | undefined },
  cells: ReadonlyMap<string, CellState>,
  line: EndedLine,
): void {
  state.ended = line;
  stopCells(cells.values());
}

/** No process runs the batch: what seems to be under way is not. */
export function stopCells(cells: Iterable<CellState>): void {
  for (const cell of cells)
    if (cell.status === "running" || cell.status === "retrying") cell.status = "waiting";
}

/** What was running when harness was killed begins again, and so does what could not be run. */
function resume(
  state: { ended?: EndedLine | undefined },
  cells: ReadonlyMap<string, CellState>,
  stoppedAgents: Map<string, Failure>,
): void {
  state.ended = undefined;
  stoppedAgents.clear();
  for (const cell of cells.values())
    if (cell.status !== "done" || cell.result?.verdict === "error") cell.status = "waiting";
}

type CellLine = Extract<LedgerLine, { cellId: string }>;

function applyToCell(state: { costUsd: number }, cell: CellState | undefined, line: CellLine): void {
  if (cell === undefined) return;
  if (line.type === "started") {
    const { attempt: attempts, runId, worker, at: startedAt } = line;
    Object.assign(cell, { status: "running", attempts, runId, worker, startedAt, until: undefined });
  } else if (line.type === "retrying") {
    const { until, failure, costUsd = 0 } = line;
    state.costUsd += costUsd;
    Object.assign(cell, { status: "retrying", until, failure });
  } else if (line.type === "skipped") {
    Object.assign(cell, { status: "skipped", reason: line.reason });
  } else {
    const { type, at, ...result } = line;
    // A result is never replaced by another one. Only an error is.
    if (cell.result !== undefined && cell.result.verdict !== "error") return;
    state.costUsd += result.costUsd ?? 0;
    Object.assign(cell, { status: "done", result, runId: result.runId, attempts: result.attempts });
  }
}
