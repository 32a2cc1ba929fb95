import { asObject, asText } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import type { Sink } from "../contract.js";
import { addTokens, countTokens, type ReportedTokens } from "../shared/tokens.js";
import { emitToolStep } from "./calls.js";
import type { Result } from "./result.js";
import type { Speech } from "./speech.js";
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

export function createNativeSteps({ speech, result }: { speech: Speech; result: Result }): NativeSteps {
  let total: ReportedTokens | undefined;

  function emitStep(type: string, step: JsonObject, record: JsonObject, out: Sink): boolean {
    if (type === "agent_response") {
      speech.response(step, out);
      emitError(step, out);
      out.consume("step_update: an answer without text");
      return true;
    }
    speech.end(out);
    if (type === "tool" || type === "subagent") return emitToolStep(step, record, out);
    if (type === "error_message") return emitError(step, out);
    return silentSteps.has(type);
  }

  /** Returns false if the step has no error. */
  function emitError(step: JsonObject, out: Sink): boolean {
    const error = asObject(step["error"]);
    const message = asText(error?.["message"]) ?? asText(step["error"]);
    if (message === undefined) return false;
    const code = asText(error?.["type"]);
    result.stepFailed(message, code);
    out.emit({ type: "error", message, code });
    return true;
  }

  function emitUsage(step: JsonObject, out: Sink): void {
    const tokens = tokensOfUsage(step["usage"]);
    if (tokens === undefined) return;
    total = addTokens(total ?? {}, tokens);
    out.emit({ type: "usage", ...countTokens(tokens), scope: "step" });
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
      return total;
    },
  };
}
