import type { RunCheck } from "../events/run-check.js";
import { formatDuration } from "../text/numbers.js";

/** How a check ended, in words: `Check failed with exit code 1 after 2.1 s`. */
export function describeCheck(check: RunCheck): string {
  return `${outcomeOf(check)} ${check.isSuccess ? "in" : "after"} ${formatDuration(check.durationMs)}`;
}

function outcomeOf({ isSuccess, isCancelled, isTimedOut, exitCode, signal }: RunCheck): string {
  if (isSuccess) return "Check passed";
  if (isCancelled) return "Check cancelled";
  if (isTimedOut) return "Check stopped by its time limit (--check-timeout)";
  if (signal !== undefined) return `Check ended by ${signal}`;
  return exitCode === null ? "Check not started" : `Check failed with exit code ${exitCode}`;
}
