import type { Cell } from "./model/cell.js";

/** Keeps a batch within its budget. */
export interface Budget {
  /** `wait`: it depends on what runs now. Never `wait` if nothing runs. `over`: the rest of the budget is not enough for it. */
  ask(cell: Cell): "start" | "wait" | "over";
  /** The cell is under way until `end`. Its estimate is set aside. */
  begin(cell: Cell): void;
  /** An attempt has cost this much. `undefined`: nobody knows. */
  spend(cell: Cell, costUsd: number | undefined): void;
  /** The cell has its result. `isPriced`: it did its work, so an agent that reports costs would have reported one. */
  end(cell: Cell, isPriced: boolean): void;
  /** True once a cell of this arm has done its work and had no cost. */
  isFree(armId: string): boolean;
}

interface Mean {
  sum: number;
  count: number;
}

/**
 * A cell may start if what was spent, the estimates of what runs and its own estimate are within the budget. An estimate is the mean cost of
 * the same task and arm, else of the arm, else of the task, else the arm's own limit.
 *
 * As long as there is no estimate for an arm, one cell of it runs at a time. Otherwise the first wave, of unknown price, could
 * exceed any budget. An agent that never reports a cost, and whose models have no known price, is free for the budget: nothing
 * could be compared with it.
 */
export function createBudget(limitUsd: number | undefined): Budget {
  const means = new Map<string, Mean>();
  const reserved = new Map<string, { armId: string; estimate: number | undefined }>();
  const free = new Set<string>();
  let spent = 0;

  function estimateOf(cell: Cell): number | undefined {
    for (const key of keysOf(cell)) {
      const mean = means.get(key);
      if (mean !== undefined) return mean.sum / mean.count;
      if (key === armKey(cell.arm.id) && free.has(cell.arm.id)) return 0;
    }
    return cell.arm.maxBudgetUsd;
  }

  /** What is set aside for others, and whether one of them is a first of this arm. */
  function others(cell: Cell): { sum: number; count: number; hasUnknown: boolean } {
    const all = [...reserved].filter(([id]) => id !== cell.id).map(([, one]) => one);
    return {
      sum: all.reduce((sum, { estimate = 0 }) => sum + estimate, 0),
      count: all.length,
      hasUnknown: all.some(({ armId, estimate }) => armId === cell.arm.id && estimate === undefined),
    };
  }

  return {
    ask(cell) {
      if (limitUsd === undefined) return "start";
      const estimate = estimateOf(cell);
      const { sum, count, hasUnknown } = others(cell);
      if (estimate === undefined && hasUnknown) return "wait";
      // Nothing is left: not even a run of unknown price may start.
      const isOver = (aside: number) => spent + aside + (estimate ?? 0) > limitUsd || spent >= limitUsd;
      if (!isOver(sum)) return "start";
      // What runs may turn out cheaper.
      return count > 0 && !isOver(0) ? "wait" : "over";
    },
    begin(cell) {
      reserved.set(cell.id, { armId: cell.arm.id, estimate: estimateOf(cell) });
    },
    spend(cell, costUsd) {
      // A run that failed before it began costs nothing. That says nothing about the others.
      if (costUsd === undefined || costUsd === 0) return;
      spent += costUsd;
      for (const key of keysOf(cell)) {
        const mean = means.get(key) ?? { sum: 0, count: 0 };
        means.set(key, { sum: mean.sum + costUsd, count: mean.count + 1 });
      }
    },
    end(cell, isPriced) {
      reserved.delete(cell.id);
      if (isPriced && !means.has(armKey(cell.arm.id))) free.add(cell.arm.id);
    },
    isFree: (armId) => free.has(armId) && !means.has(armKey(armId)),
  };
}

/** From the most to the least similar. */
function keysOf({ task, arm }: Cell): string[] {
  return [`both ${task.id} ${arm.id}`, armKey(arm.id), `task ${task.id}`];
}

function armKey(armId: string): string {
  return `arm ${armId}`;
}
