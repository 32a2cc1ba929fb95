import type { Steps } from "../agents/steps.js";
import type { ExitRecord } from "../events/raw-record.js";
import type { Step } from "../events/step.js";
import type { ProcessEnd } from "../process/start.js";

/** Why harness ended the run. */
export interface Stopped {
  reason?: "cancelled" | "timed_out" | "stalled";
  detail?: string;
  /** The agent had sent its final message, so the outcome does not change. */
  isAfterFinalMessage?: true;
}

/** The last step of every run: the exit record and the events that come with it. */
export function endRecord(
  steps: Steps,
  how: Pick<ProcessEnd, "exitCode" | "signal" | "startFailure">,
  stopped: Stopped | undefined,
  timestamp: string,
): Step {
  const { exitCode, signal, startFailure } = how;
  const known = {
    exitCode,
    signal,
    ...(stopped?.isAfterFinalMessage && { stopped: true as const }),
    ...(startFailure !== undefined && { startFailure }),
    ...(stopped?.detail !== undefined && { detail: stopped.detail }),
  };
  const { events } = steps.end(
    { ...known, ...(stopped?.reason !== undefined && { reason: stopped.reason }) },
    timestamp,
  );
  const exited = events.find((event) => event.type === "exited");
  const record: ExitRecord = { timestamp, stream: "exit", ...known, reason: exited?.reason ?? "failed" };
  return { record, events };
}
