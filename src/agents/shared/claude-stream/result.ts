import type { FailureKind } from "../../../events/failure.js";
import { asArray, asFlag, asNumber, asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import type { Sink } from "../../contract.js";
import type { Conversation } from "./conversation.js";
import type { Notices } from "./notices.js";
import type { RateLimits } from "./rate-limits.js";
import { createRunNumbers, type RunContext } from "./usage.js";

/**
 * The terminal record.
 * - `subtype: "success"` means nothing, `is_error` decides. An `error_…` subtype is always a failure.
 * - An error that a synthetic message has already reported is not reported again.
 * - While work is open (`open-work.ts`), more results follow. The last one decides. Its duration covers only the time
 *   since the result before it.
 */
export function createResultRecord(parts: ResultParts): (record: JsonObject, out: Sink) => void {
  const numbers = createRunNumbers(parts);
  let isFirst = true;
  return (record, out) => {
    const { usage, costUsd } = numbers(record);
    out.run.usage = usage && { ...usage, line: out.lineNumber };
    out.run.costUsd = costUsd;
    translateResult(record, out, parts);
    if (!isFirst) out.run.durationMs = undefined;
    isFirst = false;
  };
}

interface ResultParts extends RunContext {
  conversation: Conversation;
  notices: Notices;
  rateLimits: RateLimits;
}

function translateResult(
  record: JsonObject,
  out: Sink,
  { conversation, notices, rateLimits }: ResultParts,
): void {
  const { run } = out;
  run.terminalLine = out.lineNumber;
  run.durationMs = asNumber(record["duration_ms"]);

  const subtype = asText(record["subtype"]) ?? "";
  const isError =
    asFlag(record["is_error"]) === true ||
    subtype.startsWith("error_") ||
    (asFlag(record["is_error"]) !== false && subtype !== "success");
  if (!isError) {
    notices.release(out);
    run.terminal = "success";
    run.failure = undefined;
    run.text = asText(record["result"]) ?? conversation.lastText;
    // Claude Code and Grok have the first, Qwen Code the second.
    run.output = record["structured_output"] ?? record["structured_result"];
    return out.consume("result: the run's usage and final text");
  }

  // The failure of an earlier result is not the cause of this one.
  const earlier = run.terminal === undefined ? run.failure : undefined;
  run.terminal = "failure";
  run.text = conversation.lastText;
  const kind = kindOf(record);
  const message =
    earlier?.message ??
    (kind === "cancelled" ? conversation.interruption : undefined) ??
    asText(record["result"]) ??
    errorsOf(record) ??
    `the run failed: ${subtype || "no reason given"}`;
  const code = earlier?.code ?? (subtype === "success" || subtype === "" ? undefined : subtype);
  const status = asNumber(record["api_error_status"]);
  const retryAt = rateLimits.retryAt({ message, code, status });
  run.failure = { message, code, status, kind, retryAt, isReported: true };
  notices.drop(message);
  notices.release(out);
  if (earlier?.isReported) return out.consume("result: an error that was already reported");
  out.emit({ type: "error", message, code });
}

function errorsOf(record: JsonObject): string | undefined {
  const messages = (asArray(record["errors"]) ?? []).filter(
    (item) => typeof item === "string" && item !== "",
  );
  return messages.length === 0 ? undefined : messages.join("\n");
}

/** The kind of failure, if the record itself names it. */
function kindOf(record: JsonObject): FailureKind | undefined {
  const reason = kinds.get(asText(record["terminal_reason"])) ?? kinds.get(asText(record["subtype"]));
  return record["stop_reason"] === "refusal" ? "refusal" : reason;
}

/** Values of `terminal_reason` and of `subtype`. */
const kinds: ReadonlyMap<string | undefined, FailureKind> = new Map([
  ["aborted_tools", "cancelled"],
  ["aborted_streaming", "cancelled"],
  ["prompt_too_long", "context_overflow"],
  ["rapid_refill_breaker", "context_overflow"],
  ["blocking_limit", "context_overflow"],
  ["max_turns", "max_turns"],
  ["error_max_turns", "max_turns"],
  ["error_max_budget_usd", "budget"],
  ["error_max_structured_output_retries", "schema"],
]);
