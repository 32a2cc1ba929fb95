import type { HarnessEvent } from "./event.js";
import type { RawRecord } from "./raw-record.js";

/** What one native line gave. */
export interface Step {
  /** Absent for the start of the run, which no record tells. */
  record?: RawRecord | undefined;
  events: HarnessEvent[];
  /** The rule that consumed the line, when it gave no events. */
  rule?: string | undefined;
}
