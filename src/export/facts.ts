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
