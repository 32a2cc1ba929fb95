import type { Step } from "../events/step.js";
import { longFrom } from "../text/json-pieces.js";

/** True for what is written in pieces. The end of a run repeats its answer, which may be as long as any line. */
export function isLongStep({ record }: Step): boolean {
  if (record === undefined || record.stream === "harness") return false;
  if (record.stream === "exit") return true;
  return (record.line ?? record.bytes ?? "").length >= longFrom;
}
