import type { ReportedFailure } from "../../events/run-state.js";
import { asCount, asObject, asText } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import type { Sink } from "../contract.js";
import type { Mistakes } from "./mistakes.js";
import type { Subagents } from "./subagents.js";
import type { Usage } from "./usage.js";

/**
 * How the run ended. `finishReason` decides, whatever the exit code: an aborted run exits 0. After an aborted
 * `run_result` comes `run_aborted`, unless Cline's own time limit (`-t`) was over: only standard error says so.
 */
export interface Result {
  result(record: JsonObject, out: Sink): void;
  aborted(record: JsonObject, out: Sink): void;
  /** The stream is over. */
  flush(complaint: Complaint | undefined, out: Sink): void;
}

/** The last thing that Cline itself said on standard error; mostly it repeats what the stream has reported. */
export interface Complaint {
  message: string;
  line: number;
}

export function createResult(parts: { subagents: Subagents; usage: Usage; mistakes: Mistakes }): Result {
  let awaitsReason = false;

  /** An error that the stream has reported is the cause, and is not reported again. */
  function fail(failure: Omit<ReportedFailure, "isReported">, out: Sink): void {
    const earlier = out.run.failure;
    out.run.terminal = "failure";
    out.run.failure = earlier ?? { ...failure, isReported: true };
    if (earlier === undefined) out.emit({ type: "error", message: failure.message, code: failure.code });
  }

  /** Not reported at once: the reason comes in a later record. */
  function abort(failure: Omit<ReportedFailure, "isReported">, out: Sink): void {
    out.run.terminal = "failure";
    out.run.failure = { ...failure, isReported: false };
  }

  return {
    result(record, out) {
      const { run } = out;
      run.terminalLine = out.lineNumber;
      // After several turns it is the duration of the last one only.
      run.durationMs = parts.subagents.hasSeveralTurns ? undefined : asCount(record["durationMs"]);
      parts.usage.total(record, out);
      out.consume("run_result: the run's usage and final text");
      const model = asText(asObject(record["model"])?.["id"]);
      if (model !== undefined) out.session({ model });

      const finishReason = asText(record["finishReason"]);
      const text = asText(record["text"]);
      awaitsReason = finishReason === "aborted";
      if (finishReason === "completed") {
        run.terminal = "success";
        run.failure = undefined;
        run.text = text ?? run.text;
        return;
      }
      if (awaitsReason) return abort({ message: "the run was aborted", kind: "cancelled" }, out);
      const code = finishReason === "error" ? undefined : finishReason;
      if (code === "max_iterations") {
        return fail({ message: "the limit of iterations was reached", code, kind: "max_turns" }, out);
      }
      const message = text ?? `the run failed: ${finishReason ?? "no reason given"}`;
      fail({ message, code, kind: denial.test(message) ? "permission" : undefined }, out);
    },
    /** An abort that was asked for while the run went on to its end changes nothing. */
    aborted(record, out) {
      out.consume("run_aborted: why the run was aborted");
      if (!awaitsReason) return;
      awaitsReason = false;
      const code = asText(record["reason"]);
      const { last } = parts.mistakes;
      if (code !== "external_abort" || last === undefined) {
        const message = `the run was ${asText(record["message"]) ?? "aborted"}`;
        return abort({ message, code, kind: "cancelled" }, out);
      }
      const message = `Cline gave up after repeated failures; the last one: ${last}`;
      abort({ message, code, kind: denial.test(last) ? "permission" : "unknown" }, out);
    },
    /** It refused to begin, broke, or its time was over: standard error is the only witness. */
    flush(complaint, out) {
      if (complaint === undefined) return;
      const { message, line } = complaint;
      if (!awaitsReason && (out.run.terminal ?? out.run.failure) !== undefined) return;
      out.run.failure = { message, isReported: true };
      out.emit({ type: "error", message, line });
    },
  };
}

/** How Cline answers a call that was not approved, or one that would have written in plan mode. */
const denial = /requires approval|approval requires|blocked in plan mode/i;
