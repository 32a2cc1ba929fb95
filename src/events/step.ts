import type { HarnessEvent } from "./event.js";
import type { RawRecord } from "./raw-record.js";

/** What one native line was translated to. */
export interface Step {
  /** Absent for the start of the run, which has no record. */
  record?: RawRecord | undefined;
  events: HarnessEvent[];
  /** The rule that consumed the line, if it gave no events. */
  rule?: string | undefined;
}
