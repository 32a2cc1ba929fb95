import { asNumber, asObject, asText } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import type { Mapping, Sink, TranslatorOptions } from "../contract.js";
import { emitPlainLine } from "../shared/plain-line.js";
import { createStreamedMessage } from "../shared/streamed-message.js";
import { addTokens, countTokens, type ReportedTokens } from "../shared/tokens.js";
import { createEnding } from "./ending.js";
import { emitToolStep } from "./tool-steps.js";
import { reportedTokens } from "./usage.js";

/** Step types of which only the tokens are reported. */
const silentSteps: ReadonlySet<string> = new Set(["user_input", "checkpoint", "system_message"]);

/** Antigravity `--output-format stream-json` (since 1.1.8); older versions print plain text. */
export function createAntigravityMapping(options: TranslatorOptions): Mapping {
  const message = createStreamedMessage();
  const ending = createEnding();
  let speakingStep: string | undefined;
  let hasSpoken = false;
  let steps: ReportedTokens | undefined;
  let isStructured = false;
  let isPlain = false;

  function endMessage(out: Sink): void {
    message.complete(out);
    speakingStep = undefined;
  }

  /** Each step has its own message; the piece of a finished step ends the message. */
  function response(step: JsonObject, out: Sink): void {
    const id = `step-${asNumber(step["step_index"]) ?? 0}`;
    if (id !== speakingStep) endMessage(out);
    speakingStep = id;
    const thought = asText(step["thinking_delta"]);
    const delta = asText(step["text_delta"]);
    if (thought !== undefined) out.emit({ type: "thinking", delta: thought });
    if (delta !== undefined) {
      hasSpoken = true;
      message.add(delta, out, id);
    }
    if (step["state"] !== "ACTIVE") endMessage(out);
    stepError(step, out);
    out.consume("step_update: an answer without words");
  }

  /** False if the step has no error. */
  function stepError(step: JsonObject, out: Sink): boolean {
    const error = asObject(step["error"]);
    const words = asText(error?.["message"]) ?? asText(step["error"]);
    if (words === undefined) return false;
    const code = asText(error?.["type"]);
    ending.stepFailed(words, code);
    out.emit({ type: "error", message: words, code });
    return true;
  }

  function stepUsage(step: JsonObject, out: Sink): void {
    const tokens = reportedTokens(step["usage"]);
    if (tokens === undefined) return;
    steps = addTokens(steps ?? {}, tokens);
    out.emit({ type: "usage", ...countTokens(tokens), scope: "step" });
  }

  function stepUpdate(record: JsonObject, out: Sink): boolean {
    const step = asObject(record["step_update"]) ?? record;
    out.identify(asText(step["conversation_id"]));
    const type = asText(step["step_type"]) ?? "";
    let isKnown = true;
    if (type === "agent_response") response(step, out);
    else {
      endMessage(out);
      if (type === "tool" || type === "subagent") isKnown = emitToolStep(step, record, out);
      else if (type === "error_message") isKnown = stepError(step, out);
      else isKnown = silentSteps.has(type);
    }
    stepUsage(step, out);
    if (isKnown) out.consume(`step_update: ${type}`);
    return isKnown;
  }

  /** `response` repeats what was streamed. Its numbers cover the whole conversation when it was resumed. */
  function result(fields: JsonObject, out: Sink): void {
    endMessage(out);
    out.identify(asText(fields["conversation_id"]));
    const response = asText(fields["response"]);
    if (!hasSpoken && response !== undefined && response.trim() !== "") message.complete(out, response);
    const seconds = asNumber(fields["duration_seconds"]);
    if (seconds !== undefined && !options.isResumed) out.run.durationMs = Math.round(seconds * 1000);
    const own = options.isResumed ? steps : undefined;
    const tokens = own ?? reportedTokens(fields["usage"]);
    const scope = options.isResumed && own === undefined ? "session" : "run";
    if (tokens !== undefined) out.run.usage = { ...countTokens(tokens), scope, line: out.lineNumber };
    ending.result(fields, out);
  }

  function isUnderstood(record: JsonObject, out: Sink): boolean {
    switch (record["event"]) {
      case "init": {
        const about = asObject(record["init"]) ?? {};
        out.identify(asText(record["conversation_id"]));
        out.session({ model: asText(about["model"]), cwd: asText(about["cwd"]) });
        return true;
      }
      case "step_update":
        return stepUpdate(record, out);
      case "result":
        result(asObject(record["result"]) ?? record, out);
        return true;
      default:
        /** `--output-format json` prints the inside of the result alone. */
        if (
          record["event"] !== undefined ||
          record["status"] === undefined ||
          record["response"] === undefined
        )
          return false;
        result(record, out);
        return true;
    }
  }

  return {
    record(record, out) {
      isStructured = true;
      if (!isUnderstood(record, out)) out.emit({ type: "unknown", raw: record });
    },
    text(line, out) {
      isPlain = true;
      emitPlainLine(line, out);
    },
    diagnostic: ending.diagnostic,
    /** Plain text has no last record: the exit code decides. */
    flush(out) {
      endMessage(out);
      if (isPlain && !isStructured) out.run.needsTerminal = false;
      ending.flush(out);
    },
  };
}
