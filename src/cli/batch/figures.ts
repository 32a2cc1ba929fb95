import type { BatchState, CellState } from "../../batch/model/batch-state.js";
import type { Cell } from "../../batch/model/cell.js";
import { nameOfCell } from "../../batch/report/words.js";

/** Where a batch, or one arm of it, stands. */
export interface Standing {
  total: number;
  /** Cells that have ended, with any verdict. */
  done: number;
  running: number;
  /** Cells that wait for another attempt. */
  retrying: number;
  waiting: number;
  skipped: number;
  passed: number;
  failed: number;
  errors: number;
  costUsd: number;
}

/** The standing of all cells, and of each arm in the order of the plan. */
export function standingsOf({ cells, costUsd }: BatchState): { all: Standing; arms: Map<string, Standing> } {
  const all = createStanding();
  const arms = new Map<string, Standing>();
  for (const state of cells.values()) {
    const arm = arms.get(state.cell.arm.id) ?? createStanding();
    arms.set(state.cell.arm.id, arm);
    for (const standing of [all, arm]) add(standing, state);
  }
  // The ledger also knows what attempts cost that do not count.
  return { all: { ...all, costUsd }, arms };
}

function createStanding(): Standing {
  return {
    total: 0,
    done: 0,
    running: 0,
    retrying: 0,
    waiting: 0,
    skipped: 0,
    passed: 0,
    failed: 0,
    errors: 0,
    costUsd: 0,
  };
}

const verdictKeys = { passed: "passed", failed: "failed", error: "errors" } as const;

function add(standing: Standing, { status, result }: CellState): void {
  standing.total += 1;
  standing[status] += 1;
  if (status !== "done" || result === undefined) return;
  standing[verdictKeys[result.verdict]] += 1;
  standing.costUsd += result.costUsd ?? 0;
}

/** The share of cells that passed, of those that say something about the agent. Undefined: there is none yet. */
export function passRateOf({ passed, failed }: Standing): number | undefined {
  return passed + failed === 0 ? undefined : passed / (passed + failed);
}

/** How long the rest may take, in milliseconds, if it takes as long as the cells before. Undefined: none has ended yet. */
export function timeLeftOf({ cells, head }: BatchState, now: number): number | undefined {
  const all = { sum: 0, count: 0 };
  const arms = new Map(head.plan.arms.map(({ id }) => [id, { sum: 0, count: 0 }]));
  for (const { cell, status, result } of cells.values()) {
    if (status !== "done" || result === undefined) continue;
    for (const times of [all, arms.get(cell.arm.id) ?? all]) {
      times.sum += Date.parse(result.endedAt) - Date.parse(result.startedAt);
      times.count += 1;
    }
  }
  if (all.count === 0) return undefined;
  let work = 0;
  let open = 0;
  let running = 0;
  for (const { cell, status, startedAt } of cells.values()) {
    if (status === "done" || status === "skipped") continue;
    const arm = arms.get(cell.arm.id) ?? all;
    const expected = arm.count === 0 ? all.sum / all.count : arm.sum / arm.count;
    const elapsed = status === "running" && startedAt !== undefined ? now - Date.parse(startedAt) : 0;
    work += Math.max(0, expected - elapsed);
    open += 1;
    if (status === "running") running += 1;
  }
  // Workers of a queue may run more at once than the plan says for one machine.
  return open === 0 ? 0 : work / Math.min(Math.max(head.plan.concurrency, running), open);
}

/** As the report calls it: `fix-total, claude-opus, run 3`. */
export function cellName({ task, arm, repetition }: Cell): string {
  return nameOfCell({ taskId: task.id, armId: arm.id, repetition });
}
