import { formatCount, formatDuration } from "../../text/numbers.js";
import { createOutput } from "../output.js";

/** One row on standard error that says how far it is. Without a terminal it does nothing. */
export interface ProgressLine {
  show(done: number, failed: number): void;
  /** Takes the row away, so that something else can be printed. */
  clear(): void;
}

const redrawMs = 100;

/** `isPrinting`: standard output gets something. If that is a terminal, too, the row would be in its way. */
export function createProgressLine(total: number, nouns: string, isPrinting: boolean): ProgressLine {
  const hasTerminal = process.stderr.isTTY === true && process.env["TERM"] !== "dumb";
  if (!hasTerminal || (isPrinting && process.stdout.isTTY === true))
    return { show: () => undefined, clear: () => undefined };
  const output = createOutput(process.stderr);
  const since = performance.now();
  let drawnAt = Number.NEGATIVE_INFINITY;
  let isShown = false;
  return {
    show(done, failed) {
      const now = performance.now();
      if (now - drawnAt < redrawMs) return;
      drawnAt = now;
      isShown = true;
      const problems = failed === 0 ? "" : `, ${formatCount(failed)} failed`;
      const row = `${formatCount(done)} of ${formatCount(total)} ${nouns}${problems}, ${formatDuration(now - since)}`;
      output.write(`\r\u001b[K${row}`);
    },
    clear() {
      if (isShown) output.write("\r\u001b[K");
      isShown = false;
      drawnAt = Number.NEGATIVE_INFINITY;
    },
  };
}
