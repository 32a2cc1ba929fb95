import type { Sink } from "../contract.js";
import { emitPlainLine } from "../shared/plain-line.js";
import { kindInWords, readCause } from "./sentences.js";

/** Versions before 1.1.8 print plain text, and so does `--output-format text`. */
export interface PlainOutput {
  line(line: string, out: Sink): void;
  /** The process has exited. Plain text has no terminal record, so the exit code decides. */
  end(out: Sink): void;
}

/** Exit code 0 is not a success if the only output explains why there is no answer: no permission, or no quota left. */
export function createPlainOutput(): PlainOutput {
  let hasLines = false;
  let hasAnswer = false;
  let reason: string | undefined;

  return {
    line(line, out) {
      hasLines = true;
      const [, speaker, words] = /^\s*(error|jetski): (.+?)\s*$/i.exec(line) ?? [];
      hasAnswer ||= words === undefined;
      reason = words ?? reason;
      if (speaker === "jetski") out.emit({ type: "error", message: line.trim() });
      else emitPlainLine(line, out);
    },
    end(out) {
      if (!hasLines) return;
      out.run.needsTerminal = false;
      if (hasAnswer || reason === undefined || out.run.failure !== undefined) return;
      out.run.failure = {
        message: reason,
        kind: kindInWords(reason),
        ...readCause(reason),
        isReported: true,
      };
    },
  };
}
