import type { ReportedFailure } from "../../events/run-state.js";
import { asCount, asObject, asText } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import type { Sink } from "../contract.js";
import type { Mistakes } from "./mistakes.js";
import type { Usage } from "./usage.js";
import type { Workers } from "./workers.js";

/**
 * How the run ended. `finishReason` decides, not the exit code: an aborted run exits 0. `run_aborted` follows an
 * aborted `run_result`, except after Cline's own time limit (`-t`), which only standard error reports.
 */
export interface Result {
  result(record: JsonObject, out: Sink): void;
  aborted(record: JsonObject, out: Sink): void;
  /** The stream has ended. `complaint`: Cline's last error on standard error. It mostly repeats what the stream has reported. */
  flush(complaint: string | undefined, out: Sink): void;
}

export function createResult(parts: { workers: Workers; usage: Usage; mistakes: Mistakes }): Result {
  let awaitsReason = false;

  /** If the stream has reported an error, that error is the cause. It is not reported again. */
  function fail(failure: Omit<ReportedFailure, "isReported">, out: Sink): void {
    const earlier = out.run.failure;
    out.run.terminal = "failure";
    out.run.failure = earlier ?? { ...failure, isReported: true };
    if (earlier === undefined) out.emit({ type: "error", message: failure.message, code: failure.code });
  }

  /** Nothing is reported yet, since a later record has the reason. */
  function abort(failure: Omit<ReportedFailure, "isReported">, out: Sink): void {
    out.run.terminal = "failure";
    out.run.failure = { ...failure, isReported: false };
  }

  return {
    result(record, out) {
      const { run } = out;
      run.terminalLine = out.lineNumber;
      // After several turns, `durationMs` covers only the last one.
      run.durationMs = parts.workers.hasSeveralTurns ? undefined : asCount(record["durationMs"]);
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
    /** Ignored if the run reached its end before the abort. */
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
    /**
     * If Cline refused to start, crashed or reached its time limit, only standard error says so. The line is already a
     * warning, and the end of the run is the one error about it.
     */
    flush(complaint, out) {
      if (complaint === undefined) return;
      if (!awaitsReason && (out.run.terminal ?? out.run.failure) !== undefined) return;
      out.run.failure = { message: complaint, isReported: false };
    },
  };
}

/** Cline's answer to a call that was not approved, or that would have written in plan mode. */
const denial = /requires approval|approval requires|blocked in plan mode/i;
