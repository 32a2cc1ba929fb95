import type { Sink } from "../../translator/contract.js";
import { asArray, asNumber, asText } from "../../translator/fields.js";
import type { FailureKind } from "../../vocabulary/failure.js";
import type { JsonObject } from "../../vocabulary/json.js";
import type { Conversation } from "./conversation.js";
import { tokensOfResult } from "./usage.js";

/**
 * The terminal record. `subtype: "success"` says nothing: `is_error` does. An error that a synthetic
 * message has already told is not told again.
 */
export function translateResult(record: JsonObject, out: Sink, conversation: Conversation): void {
  const { run } = out;
  run.terminalLine = out.lineNumber;
  run.durationMs = asNumber(record["duration_ms"]);
  run.costUsd = asNumber(record["total_cost_usd"]);
  const tokens = tokensOfResult(record);
  run.usage = tokens && { ...tokens, scope: "run", line: out.lineNumber };

  const subtype = asText(record["subtype"]) ?? "";
  const isError = record["is_error"] === true || (record["is_error"] !== false && subtype !== "success");
  if (!isError) {
    run.terminal = "success";
    run.failure = undefined;
    run.text = asText(record["result"]) ?? conversation.lastText;
    return out.consume("result: the run's usage and final text");
  }

  run.terminal = "failure";
  run.text = conversation.lastText;
  const told = run.failure;
  const reason = asText(record["terminal_reason"]);
  const message =
    told?.message ??
    asText(record["result"]) ??
    errorsOf(record) ??
    `the run failed: ${subtype || "no reason given"}`;
  const code = told?.code ?? (subtype === "success" || subtype === "" ? undefined : subtype);
  const status = asNumber(record["api_error_status"]);
  run.failure = { message, code, status, kind: kindOf(reason, subtype, message), isReported: true };
  if (told?.isReported) return out.consume("result: an error that was already reported");
  out.emit({ type: "error", message, code });
}

function errorsOf(record: JsonObject): string | undefined {
  const messages = (asArray(record["errors"]) ?? []).filter(
    (item) => typeof item === "string" && item !== "",
  );
  return messages.length === 0 ? undefined : messages.join("\n");
}

/** What the record itself says beyond doubt. */
function kindOf(reason: string | undefined, subtype: string, message: string): FailureKind | undefined {
  if (reason?.startsWith("aborted")) return "cancelled";
  if (reason === "prompt_too_long") return "context_overflow";
  if (reason === "max_turns" || subtype === "error_max_turns") return "max_turns";
  if (subtype === "error_max_budget_usd") return "budget";
  if (/^API Error: Claude Code is unable to respond/.test(message)) return "refusal";
  return undefined;
}
