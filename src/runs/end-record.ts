import type { Translator } from "../agents/contract.js";
import type { ExitRecord } from "../events/raw-record.js";
import type { Step } from "../events/step.js";
import type { ProcessEnd } from "../process/start.js";

/** Why the harness ended the run. */
export interface Stopped {
  reason?: "cancelled" | "timed_out" | "stalled";
  detail?: string;
  /** The agent had said its last word: the outcome stands. */
  isAfterLastWord?: true;
}

/** The last step of every run: the exit as it is recorded, and the events it gives. */
export function endRecord(
  translator: Translator,
  how: ProcessEnd,
  stopped: Stopped | undefined,
  timestamp: string,
): Step {
  const { exitCode, signal, startFailure } = how;
  const told = {
    exitCode,
    signal,
    ...(stopped?.isAfterLastWord && { stopped: true as const }),
    ...(startFailure !== undefined && { startFailure }),
    ...(stopped?.detail !== undefined && { detail: stopped.detail }),
  };
  const events = translator.end(
    { ...told, ...(stopped?.reason !== undefined && { reason: stopped.reason }) },
    timestamp,
  );
  const exited = events.find((event) => event.type === "exited");
  const record: ExitRecord = { timestamp, stream: "exit", ...told, reason: exited?.reason ?? "failed" };
  return { record, events };
}
