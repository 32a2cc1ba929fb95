import type { BatchPhase, BatchRow, CellSign } from "../../../src/server/batch-protocol.js";
import { formatNumberOf } from "../../../src/text/numbers.js";

/** In the order in which they are listed and drawn. */
export const cellSigns = [
  "passed",
  "failed",
  "error",
  "running",
  "retrying",
  "waiting",
  "skipped",
] as const satisfies readonly CellSign[];

export const phaseWords: Record<BatchPhase, string> = {
  running: "Running",
  completed: "Completed",
  budget: "Budget spent",
  cancelled: "Cancelled",
  interrupted: "Interrupted",
};

/** The sign of the outcome of a run that means the same. */
export const phaseSigns: Record<BatchPhase, string> = {
  running: "running",
  completed: "completed",
  budget: "cancelled",
  cancelled: "cancelled",
  interrupted: "interrupted",
};

export function countCells({ counts }: BatchRow): number {
  return cellSigns.reduce((sum, sign) => sum + counts[sign], 0);
}

/** Cells that have a result, whatever it is. */
export function countDone({ counts }: BatchRow): number {
  return counts.passed + counts.failed + counts.error;
}

/** The share of passed cells among those that say something about their agent. Undefined: there are none yet. */
export function passRate({ counts: { passed, failed } }: BatchRow): number | undefined {
  return passed + failed === 0 ? undefined : passed / (passed + failed);
}

/** The cells that `harness batch resume` would run. */
export function countMissing({ phase, counts }: BatchRow): number {
  return phase === "running" ? 0 : counts.waiting + counts.error + counts.skipped;
}

/** `3 tasks × 2 arms × 5`. */
export function describeShape({ tasks, arms, repeats }: BatchRow): string {
  const size = `${formatNumberOf(tasks, "task")} × ${formatNumberOf(arms, "arm")}`;
  return repeats === 1 ? size : `${size} × ${repeats}`;
}
