import type { Step } from "../../events/step.js";
import type { Output, Piece } from "../../outputs/contract.js";
import { type FormatName, formats } from "../../outputs/formats.js";
import { createJsonLines } from "../../outputs/json-lines.js";

/** The outputs that a recording keeps as files. */
const recordedNames = ["ndjson", "events"] as const satisfies readonly FormatName[];
export type RecordedName = (typeof recordedNames)[number];

export function isRecordedName(name: string): name is RecordedName {
  return recordedNames.some((recorded) => recorded === name);
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
        opened[name] ??= createJsonLines(formats[name].create());
        made[name] ??= opened[name].push(steps);
        return made[name];
      },
    };
  };
}
