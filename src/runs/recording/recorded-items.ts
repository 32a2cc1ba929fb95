import type { Step } from "../../events/step.js";

/** The formats that a recording has as files. */
export type RecordedFormat = "ndjson" | "events";

/** What the recording has of a batch: its text, or the items themselves where the text is too long to be held twice. */
type Recorded = Readonly<Record<RecordedFormat, string | readonly unknown[]>>;

const recordedBatches = new WeakMap<readonly Step[], Recorded>();

/** Keeps what the recording has of a batch for as long as somebody holds the batch. */
export function keepRecorded(steps: readonly Step[], recorded: Recorded): void {
  recordedBatches.set(steps, recorded);
}

/**
 * A batch as it was recorded, so that whoever prints the same format need not make it again: making JSON is the dearest
 * part of a run. A run has it for all of its batches, or for none: then it is not recorded.
 */
export function recordedBatch(
  steps: readonly Step[],
  format: RecordedFormat,
): string | readonly unknown[] | undefined {
  return recordedBatches.get(steps)?.[format];
}
