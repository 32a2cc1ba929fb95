import type { Step } from "../../events/step.js";
import type { Output, Piece } from "../../outputs/contract.js";
import { eventsOutput } from "../../outputs/events/output.js";
import { ndjsonOutput } from "../../outputs/ndjson/output.js";

/** The outputs that a recording keeps as files. */
const recordedOutputs = { ndjson: ndjsonOutput, events: eventsOutput };
export type RecordedName = keyof typeof recordedOutputs;

export function isRecordedName(name: string): name is RecordedName {
  return Object.hasOwn(recordedOutputs, name);
}

/**
 * Steps that came together. The recorder and whoever prints the run want the same JSON, and making it is the most expensive
 * part of a run. So a batch makes it when it is first asked for, and once.
 */
export interface StepBatch {
  readonly steps: readonly Step[];
  /** The batch in one of the recorded outputs. A caller that reads an output must read it from every batch, in order. */
  pieces(name: RecordedName): readonly Piece[];
}

/** Makes the batches of one run. */
export function createBatches(): (steps: readonly Step[]) => StepBatch {
  const opened: Partial<Record<RecordedName, Output>> = {};
  return (steps) => {
    const made: Partial<Record<RecordedName, readonly Piece[]>> = {};
    return {
      steps,
      pieces(name) {
        opened[name] ??= recordedOutputs[name].open();
        made[name] ??= opened[name].push(steps);
        return made[name];
      },
    };
  };
}
