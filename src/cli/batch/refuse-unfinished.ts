import type { BatchOptions } from "../../batch/batch.js";
import { checkPlan } from "../../batch/check-plan.js";
import type { BatchPlan } from "../../batch/model/plan.js";
import { readBatch } from "../../batch/read-batch.js";
import { planBatch } from "../../batch/run-batch.js";
import { HarnessError, isHarnessError } from "../../errors.js";
import { formatCount } from "../../text/numbers.js";
import { batchesIn, countMissing, type FoundBatch, handleOf } from "../batches.js";

/** Only the newest batches are looked at: an old one that was left unfinished was left for good. */
const looksAt = 20;

/**
 * Refuses a plan whose cells an unfinished batch has, so that nothing is run twice by accident. Another commit of the workspace or
 * another prompt makes other cells, and then nothing is refused.
 */
export async function refuseUnfinished(plan: BatchPlan, options: BatchOptions): Promise<void> {
  const { name } = checkPlan(plan);
  const candidates = batchesIn(options.batchesDirectory)
    .slice(0, looksAt)
    .flatMap((batch) => readIfUnfinished(batch, name));
  if (candidates.length === 0) return;
  const { cells } = await planBatch(plan, options);
  const ids = new Set(cells.map(({ id }) => id));
  const same = candidates.find(({ state }) => [...state.cells.keys()].some((id) => ids.has(id)));
  if (same === undefined) return;
  const { batchId, isRunning, missing, state } = same;
  const done = `${formatCount(state.cells.size - missing)} of ${formatCount(state.cells.size)} cells done`;
  const next = isRunning
    ? `it is running (${done}); see it with: harness batch status ${handleOf(same)}`
    : `${done}; go on with: harness batch resume ${handleOf(same)}`;
  const message = `the batch ${batchId} has the same cells and is not finished: ${next}\nto begin another one, add --new`;
  throw new HarnessError("unfinished_batch", message);
}

interface Unfinished extends FoundBatch, ReturnType<typeof readBatch> {
  missing: number;
}

function readIfUnfinished(batch: FoundBatch, name: string): Unfinished[] {
  try {
    const read = readBatch(batch.directory);
    const missing = countMissing(read.state);
    return missing > 0 && read.state.head.plan.name === name ? [{ ...batch, ...read, missing }] : [];
  } catch (error) {
    if (isHarnessError(error)) return [];
    throw error;
  }
}
