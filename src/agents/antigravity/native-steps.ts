import { asCount, asObject, asText } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import { createRecent } from "../../text/recent.js";
import type { Sink } from "../contract.js";
import { countTokens, type ReportedTokens } from "../shared/tokens.js";
import { emitToolStep, errorOf } from "./calls.js";
import type { Result } from "./result.js";
import type { Speech } from "./speech.js";
import { createStepTokens } from "./step-tokens.js";
import { tokensOfUsage } from "./usage.js";

/** `step_update` records. */
export interface NativeSteps {
  /** Returns false if the step is not understood. */
  update(record: JsonObject, out: Sink): boolean;
  /** The tokens of all steps so far, if any step reported them. */
  readonly tokens: ReportedTokens | undefined;
}

/** For these step types, only the tokens are reported. */
const silentSteps: ReadonlySet<string> = new Set(["user_input", "checkpoint", "system_message"]);

/** The fields of a step without content. Each turn has such a step, of the type `unknown` (1.2). */
const emptyFields: ReadonlySet<string> = new Set([
  "event",
  "conversation_id",
  "step_index",
  "step_type",
  "state",
  "duration_seconds",
  "usage",
]);

export function createNativeSteps({ speech, result }: { speech: Speech; result: Result }): NativeSteps {
  const tokens = createStepTokens();
  const reportedTokens = createRecent<number>();
  const warned = createRecent<number>();

  function emitStep(type: string, step: JsonObject, record: JsonObject, out: Sink): boolean {
    if (type === "agent_response") {
      speech.response(step, out);
      emitError(step, out);
      out.consume("step_update: an answer without text");
      return true;
    }
    speech.end(out);
    if (type === "tool" || type === "subagent") {
      const { message } = errorOf(step);
      if (message !== undefined) result.callFailed(message);
      return emitToolStep(step, record, out);
    }
    if (type === "error_message") return emitWarning(step, out);
    return (
      silentSteps.has(type) || (type === "unknown" && Object.keys(step).every((key) => emptyFields.has(key)))
    );
  }

  function emitError(step: JsonObject, out: Sink): void {
    const { message, code } = errorOf(step);
    if (message === undefined) return;
    result.stepFailed(message, code, true);
    out.emit({ type: "error", message, code });
  }

  /**
   * The run goes on after this step: a request is tried again, or a hook refused a call (1.1.9). The step has no text
   * (1.1.9-1.3.3). It may be reported twice, first as ACTIVE.
   */
  function emitWarning(step: JsonObject, out: Sink): boolean {
    const { message, code } = errorOf(step);
    const index = asCount(step["step_index"]) ?? -out.lineNumber;
    if (message === undefined && warned.has(index)) return true;
    warned.set(index, true);
    if (message !== undefined) result.stepFailed(message, code, false);
    out.emit({
      type: "warning",
      message: message ?? "Antigravity reports an error, but not which",
      code: code ?? "error_message",
    });
    return true;
  }

  function emitUsage(step: JsonObject, out: Sink): void {
    const reported = tokensOfUsage(step["usage"]);
    if (reported === undefined) return;
    const index = asCount(step["step_index"]) ?? -out.lineNumber;
    tokens.report(index, reported);
    if (step["state"] === "ACTIVE" || reportedTokens.has(index))
      return out.consume("step_update: tokens so far, or again");
    reportedTokens.set(index, true);
    out.emit({ type: "usage", ...countTokens(reported), scope: "step" });
  }

  return {
    update(record, out) {
      const step = asObject(record["step_update"]) ?? record;
      out.identify(asText(step["conversation_id"]));
      const type = asText(step["step_type"]) ?? "";
      const isKnown = emitStep(type, step, record, out);
      emitUsage(step, out);
      if (isKnown) out.consume(`step_update: ${type}`);
      return isKnown;
    },
    get tokens() {
      return tokens.sum();
    },
  };
}
