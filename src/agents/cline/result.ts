import type { Sink } from "../../translator/contract.js";
import { asNumber, asObject, asText } from "../../translator/fields.js";
import type { FailureKind } from "../../vocabulary/failure.js";
import type { JsonObject } from "../../vocabulary/json.js";
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
  /** The stream is over. `complaint` is the last thing that Cline itself said on standard error. */
  flush(complaint: string | undefined, out: Sink): void;
}

export function createResult(parts: { subagents: Subagents; usage: Usage; mistakes: Mistakes }): Result {
  let awaitsReason = false;

  /** An error that the stream has told already is the cause, and is not told again. */
  function fail(message: string, kind: FailureKind | undefined, out: Sink): void {
    const told = out.run.failure;
    out.run.terminal = "failure";
    out.run.failure = told ?? { message, kind, isReported: true };
    if (told === undefined) out.emit({ type: "error", message });
  }

  /** Not reported at once: the reason comes in a later record. */
  function abort(message: string, kind: FailureKind, out: Sink): void {
    out.run.terminal = "failure";
    out.run.failure = { message, kind, isReported: false };
  }

  return {
    result(record, out) {
      const { run } = out;
      run.terminalLine = out.lineNumber;
      // After several turns it is the duration of the last one only.
      run.durationMs = parts.subagents.hasSeveralTurns ? undefined : asNumber(record["durationMs"]);
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
      if (awaitsReason) return abort("the run was aborted", "cancelled", out);
      if (finishReason === "max_iterations")
        return fail("the limit of iterations was reached", "max_turns", out);
      const message = text ?? `the run failed: ${finishReason ?? "no reason given"}`;
      fail(message, denial.test(message) ? "permission" : undefined, out);
    },
    /** An abort that was asked for while the run went on to its end changes nothing. */
    aborted(record, out) {
      out.consume("run_aborted: why the run was aborted");
      if (!awaitsReason) return;
      awaitsReason = false;
      const { last } = parts.mistakes;
      if (record["reason"] !== "external_abort" || last === undefined) {
        return abort(`the run was ${asText(record["message"]) ?? "aborted"}`, "cancelled", out);
      }
      const kind = denial.test(last) ? "permission" : "unknown";
      abort(`Cline gave up after repeated failures; the last one: ${last}`, kind, out);
    },
    flush(complaint, out) {
      if (awaitsReason && complaint !== undefined && /\btimed out\b/.test(complaint)) {
        abort(complaint, "timed_out", out);
      }
    },
  };
}

/** How Cline answers a call that was not approved, or one that would have written in plan mode. */
const denial = /requires approval|approval requires|blocked in plan mode/i;
