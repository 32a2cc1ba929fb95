import { type BatchState, createBatchState } from "../../../src/batch/model/batch-state.js";
import type { Cell, CellResult } from "../../../src/batch/model/cell.js";
import type { BatchLine, LedgerLine } from "../../../src/batch/model/ledger-line.js";
import type { CheckedArm, CheckedPlan, CheckedTask } from "../../../src/batch/model/plan.js";
import { resultOf as passedResultOf } from "../support/cells.js";

/** What a test says about a batch. Everything else is filled in. */
export interface GivenBatch {
  name?: string;
  arms?: readonly (string | Partial<CheckedArm>)[];
  tasks?: readonly (string | Partial<CheckedTask>)[];
  repeats?: number;
  plan?: Partial<CheckedPlan>;
  /** The result of a cell; `undefined` if it has none. */
  result?: (cell: Cell, index: number) => Partial<CellResult> | undefined;
  /** Further lines of the ledger, after the results. */
  lines?: (cells: readonly Cell[]) => readonly LedgerLine[];
}

export const startedAt = "2026-11-17T10:00:00.000Z";
export const endedAt = "2026-11-17T10:20:00.000Z";

export function batchOf(given: GivenBatch = {}): BatchState {
  const arms = (given.arms ?? ["claude", "codex"]).map((arm): CheckedArm => {
    const own = typeof arm === "string" ? { id: arm } : arm;
    return { id: "claude", agent: "claude", ...own };
  });
  const tasks = (given.tasks ?? ["fix-total"]).map((task): CheckedTask => {
    const own = typeof task === "string" ? { id: task } : task;
    return { id: "task", prompt: "Fix it.", workspace: { empty: true }, check: "npm test", ...own };
  });
  const repeats = given.repeats ?? 3;
  const plan: CheckedPlan = {
    name: given.name ?? "cart",
    concurrency: 4,
    limits: {},
    retries: 3,
    isolated: true,
    ...given.plan,
    tasks,
    arms,
    repeats,
  };
  const cells = tasks.flatMap((task) =>
    arms.flatMap((arm) =>
      Array.from({ length: repeats }, (_none, index) => ({ task, arm, repetition: index + 1 })),
    ),
  );
  const withIds = cells.map((cell, index): Cell => ({ ...cell, id: idOf(index) }));
  const head: BatchLine = {
    type: "batch",
    at: startedAt,
    version: 1,
    batchId: "20261117-cart-1",
    harness: "1.0.0",
    plan,
    sources: {},
    arms: {},
    cells: cells.length,
  };
  const reader = createBatchState(head, withIds);
  for (const [index, cell] of withIds.entries()) {
    const result = given.result === undefined ? {} : given.result(cell, index);
    if (result !== undefined) reader.apply({ type: "done", at: endedAt, ...resultOf(cell, result) });
  }
  for (const line of given.lines?.(withIds) ?? []) reader.apply(line);
  return reader.state;
}

export function idOf(index: number): string {
  return `c${index.toString(16).padStart(15, "0")}`;
}

/** A cell that passed, unless the test says otherwise. */
export function resultOf(cell: Cell, given: Partial<CellResult> = {}): CellResult {
  return passedResultOf(cell, {
    check: { isSuccess: given.verdict !== "failed", exitCode: 0, durationMs: 900, tail: "ok\n" },
    runId: `${cell.id}-x1`,
    startedAt,
    endedAt,
    commands: { run: 2, failed: 0 },
    ...given,
  });
}

export const ended: LedgerLine = { type: "ended", at: endedAt, reason: "completed" };
