import type { ReadBatch } from "../../batch/read-batch.js";
import { countMissing } from "../batches.js";
import { passRateOf, standingsOf } from "./figures.js";

/** A batch that was read, with its directory. */
export type StoredBatch = ReadBatch & { directory: string };

const endWords = { completed: "completed", budget: "budget spent", cancelled: "cancelled" } as const;

/** In two words at most: `running`, `completed`, `budget spent`, `cancelled`, `interrupted` (harness was killed), `incomplete`. */
export function stateOfBatch({ state, isRunning }: Pick<ReadBatch, "state" | "isRunning">): string {
  if (isRunning) return "running";
  if (state.ended === undefined) return "interrupted";
  if (state.ended.reason === "completed" && countMissing(state) > 0) return "incomplete";
  return endWords[state.ended.reason];
}

/** A batch as `--json` prints it. */
export function toBatchStatus(batch: StoredBatch): object {
  const { state, directory, problems } = batch;
  const { all, arms } = standingsOf(state);
  const { batchId, at, plan } = state.head;
  return {
    batchId,
    name: plan.name,
    startedAt: at,
    ...(state.ended !== undefined && { endedAt: state.ended.at }),
    state: stateOfBatch(batch),
    directory,
    missing: countMissing(state),
    ...all,
    passRate: passRateOf(all),
    arms: [...arms].map(([id, standing]) => ({ id, ...standing, passRate: passRateOf(standing) })),
    ...(problems.length > 0 && { problems }),
  };
}
