import { stripEscapes } from "../../text/clean-text.js";
import type { Sink } from "../contract.js";

const diagnostics = [
  { type: "error", words: /^\s*(?:\[(?:error|fatal)\]|(?:error|fatal(?: error)?|panic):)/i },
  { type: "warning", words: /^\s*(?:\[warn(?:ing)?\]|warn(?:ing)?:)/i },
] as const;

/**
 * A line of a program whose output format is not known: an error or a warning if it calls itself one, else `unknown`, so
 * that it is not lost.
 */
export function emitPlainLine(line: string, out: Sink): void {
  const message = stripEscapes(line).trimEnd();
  const found = diagnostics.find(({ words }) => words.test(message));
  if (found === undefined) out.emit({ type: "unknown", raw: line });
  else out.emit({ type: found.type, message });
}
