import type { Mapping } from "../contract.js";
import { emitPlainLine } from "../shared/plain-line.js";

/**
 * Any program, best effort. A line is an error or a warning if it calls itself one (`error: …`, `[WARN] …`), else
 * `unknown`, whether JSON or text. Only the exit code decides the outcome.
 */
export function createGenericMapping(): Mapping {
  return {
    record: (record, out) => out.emit({ type: "unknown", raw: record }),
    text: emitPlainLine,
    flush(out) {
      out.run.needsTerminal = false;
    },
  };
}
