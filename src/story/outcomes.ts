import type { Failure } from "../events/failure.js";
import type { StopReason } from "../events/recording-meta.js";
import type { RecordedSummary } from "./recorded-summary.js";
import type { RunOutcome } from "./run-record.js";
import type { Item, MessageItem } from "./timeline/items.js";

/** How a run ended, for people. */
export const outcomeWords: Record<RunOutcome, string> = {
  completed: "Completed",
  failed: "Failed",
  cancelled: "Cancelled",
  timed_out: "Timed out",
  stalled: "Stalled",
  interrupted: "Interrupted",
  running: "Running",
};

/** The sign before these words. */
export function signOfRun(outcome: RunOutcome): string {
  if (outcome === "running") return "…";
  return signOf(outcome !== "completed");
}

/** The sign of an operation, a command or a call. */
export function signOf(isFailed: boolean): string {
  return isFailed ? "✗" : "✓";
}

/** What an operation, a command or a call reports about its success. */
export interface Attempt {
  isSuccess?: boolean;
  exitCode?: number;
  action?: string;
}

/** True if it did not succeed: the agent says so, or its exit code does. If neither is reported, it counts as a success. */
export function hasFailed({ isSuccess, exitCode = 0, action }: Attempt): boolean {
  if (isSuccess !== undefined) return !isSuccess;
  return exitCode !== 0 || action === "subagent_failed";
}

const stoppingWords: ReadonlyMap<string, string> = new Map<StopReason, string>([
  ["timed_out", "Stopping (time limit)…"],
  ["stalled", "Stopping (idle limit)…"],
  ["not_exiting", "Stopping (it does not exit)…"],
]);

/** Says that a run is being stopped, and why, unless a user cancelled it. A later version may have recorded another reason. */
export function describeStopping(reason: StopReason): string {
  return stoppingWords.get(reason) ?? "Stopping…";
}

/** Why a run did not succeed. For `interrupted`, the outcome word already names the kind. */
export function failureOf({
  outcome,
  failure,
}: RecordedSummary): { kind?: string; message: string } | undefined {
  if (failure === undefined) return undefined;
  return outcome === "interrupted" ? { message: failure.message } : failure;
}

/** What to do after the failure, unless its message already says it: that of a missing program does. */
export function nextStepOf(failure: Failure | undefined): string | undefined {
  const { hint, message } = failure ?? {};
  // A sidecar can be damaged or written by hand.
  if (typeof hint !== "string" || typeof message !== "string") return undefined;
  return message.toLowerCase().includes(hint.toLowerCase()) ? undefined : hint;
}

/** The title of the last message: it is the answer only if the run completed. */
export function titleOfAnswer(outcome: RunOutcome): string {
  return outcome === "completed" ? "Answer" : "Last message";
}

/** The last message of the main agent, if it is the run's result. */
export function findAnswer(items: readonly Item[], { text }: RecordedSummary): MessageItem | undefined {
  for (const item of items.toReversed()) {
    if (item.kind !== "message" || item.role !== "assistant") continue;
    return text?.trim() === item.text.trim() ? item : undefined;
  }
  return undefined;
}
