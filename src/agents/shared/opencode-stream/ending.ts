import type { ReportedFailure, RunState } from "../../../events/run-state.js";

/**
 * How the run is going. There is no terminal record: the run has succeeded when the last step that began
 * ended with `stop` (or `length`, or without a reason, as old versions print it), and no error came after it. Nothing is
 * decided before the process ends, since a step may always follow: the conversation is compacted after an overflow, and a
 * subagent in the background reports when it is done (Kilo 7.7.9).
 */
export interface Ending {
  /** Another step follows: what came before it did not end the run. */
  goesOn(): void;
  stepFinished(reason: string | undefined, line: number): void;
  /** A permission was refused, which ends the run after this step. What the call itself says about it counts most. */
  refused(message: string, by: "call" | "program"): void;
  failed(failure: ReportedFailure, line: number): void;
  settle(run: RunState): void;
}

export function createEnding(): Ending {
  let failure: { cause: ReportedFailure; line: number } | undefined;
  let refusal: string | undefined;
  let step: { reason: string | undefined; line: number } | undefined;

  return {
    goesOn() {
      failure = undefined;
      refusal = undefined;
      step = undefined;
    },
    stepFinished(reason, line) {
      step = { reason, line };
    },
    refused(message, by) {
      refusal = by === "call" ? message : (refusal ?? message);
    },
    /** One failure can be reported twice, once without its cause. The report with the cause is kept. */
    failed(cause, line) {
      if (failure === undefined || cause.kind !== "unknown") failure = { cause, line };
    },
    settle(run) {
      run.terminalLine = failure?.line ?? step?.line;
      if (failure !== undefined) run.failure = causeOf(failure.cause, refusal);
      else if (refusal !== undefined)
        run.failure = { message: refusal, kind: "permission", isReported: false };
      else if (step !== undefined && goodReasons.has(step.reason)) run.terminal = "success";
      else if (step?.reason !== undefined && step.reason !== "tool-calls")
        run.failure = oddReason(step.reason);
    },
  };
}

const goodReasons: ReadonlySet<string | undefined> = new Set(["stop", "length", undefined]);

/** After a refusal OpenCode 2 stops the step and reports only that. The refusal is the cause. */
function causeOf(cause: ReportedFailure, refusal: string | undefined): ReportedFailure {
  return refusal === undefined ? cause : { ...cause, kind: "permission" };
}

function oddReason(reason: string): ReportedFailure {
  const message = `the model's last answer ended with "${reason}"`;
  return {
    message,
    code: reason,
    kind: reason === "content-filter" ? "refusal" : undefined,
    isReported: false,
  };
}
