import type { RecordedSummary } from "./recorded-summary.js";
import type { RunOutcome, RunRecord } from "./run-record.js";

/** How a run ended, for people. */
export const outcomeWords: Record<RunOutcome, string> = {
  completed: "Completed",
  failed: "Failed",
  cancelled: "Cancelled",
  timed_out: "Timed out",
  stalled: "Stalled",
  interrupted: "Interrupted",
  running: "Still running",
};

/** Where the agent says it works, else where it was started. */
export function workingDirectory({ meta, events }: RunRecord): string {
  for (const event of events) if (event.type === "session" && event.cwd) return event.cwd;
  return meta.cwd;
}

/** What the last message of a run is: only of one that completed is it the answer. */
export function titleOfAnswer(outcome: RunOutcome): string {
  return outcome === "completed" ? "Answer" : "Last message";
}

/** Why a run did not succeed. That it was interrupted says itself what kind of failure it is. */
export function reasonOf({
  outcome,
  failure,
}: RecordedSummary): { kind?: string; message: string } | undefined {
  if (failure === undefined) return undefined;
  return outcome === "interrupted" ? { message: failure.message } : failure;
}
