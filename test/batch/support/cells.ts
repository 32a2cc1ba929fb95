import { checkPlan } from "../../../src/batch/check-plan.js";
import { makeCells } from "../../../src/batch/make-cells.js";
import type { Cell, CellResult } from "../../../src/batch/model/cell.js";
import type { BatchLine } from "../../../src/batch/model/ledger-line.js";
import type { BatchPlan } from "../../../src/batch/model/plan.js";
import { planOf } from "./shell-agent.js";

/** The first line of a ledger. */
export function headOf(plan: Partial<BatchPlan> = {}): BatchLine {
  const checked = checkPlan(planOf(plan));
  return {
    type: "batch",
    at: "2026-01-01T00:00:00.000Z",
    version: 1,
    batchId: "20260101-000000-aaaaaa",
    harness: "0.0.0",
    plan: checked,
    sources: Object.fromEntries(checked.tasks.map(({ id }) => [id, { kind: "empty" }])),
    arms: Object.fromEntries(checked.arms.map(({ id }) => [id, `hash of ${id}`])),
    cells: checked.tasks.length * checked.arms.length * checked.repeats,
  };
}

export function cellsOf(plan: Partial<BatchPlan> = {}): Cell[] {
  return makeCells(headOf(plan));
}

/** A result of a cell that passed. */
export function resultOf(cell: Cell, changes: Partial<CellResult> = {}): CellResult {
  return {
    cellId: cell.id,
    taskId: cell.task.id,
    armId: cell.arm.id,
    repetition: cell.repetition,
    verdict: "passed",
    outcome: { isSuccess: true, reason: "completed" },
    runId: `${cell.id}-1`,
    startedAt: "2026-01-01T00:00:00.000Z",
    endedAt: "2026-01-01T00:00:01.000Z",
    attempts: 1,
    retries: [],
    throttled: 0,
    commands: { run: 0, failed: 0 },
    ...changes,
  };
}
