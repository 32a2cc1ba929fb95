import type { Mapping } from "../contract.js";
import { emitPlainLine } from "../shared/plain-line.js";

/**
 * Any program, best effort: every line is seen, as an error or a warning when it calls itself one
 * (`error: …`, `[WARN] …`), else as `unknown`, JSON or text. The exit code alone decides the outcome.
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
