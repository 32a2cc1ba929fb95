import type { Step } from "./step.js";

/** The formats that a recording has as files. */
export type RecordedFormat = "ndjson" | "events";

const texts = new WeakMap<readonly Step[], Readonly<Record<RecordedFormat, string>>>();

/** Keeps what the recording has of a batch for as long as somebody holds the batch. */
export function keepTexts(steps: readonly Step[], recorded: Readonly<Record<RecordedFormat, string>>): void {
  texts.set(steps, recorded);
}

/**
 * The text of a batch as it was recorded, so that whoever prints the same format need not make it again: making JSON
 * is the dearest part of a run. Undefined when the batch is not recorded, or too long to be kept twice.
 */
export function recordedText(steps: readonly Step[], format: RecordedFormat): string | undefined {
  return texts.get(steps)?.[format];
}
