import type { FailureKind } from "../../events/failure.js";
import type { ReportedFailure } from "../../events/run-state.js";
import { asObject, asText, numberIn } from "../../text/fields.js";
import type { JsonValue } from "../../text/json.js";
import { parseJson } from "../../text/parse-json.js";

/** Grok's own codes, and the values of `stop_reason` and `stopReason`. */
const kinds: ReadonlyMap<string | undefined, FailureKind> = new Map([
  ["max_tokens_truncation", "output_limit"],
  ["max_tokens", "output_limit"],
  ["max_turn_requests", "max_turns"],
  ["refusal", "refusal"],
]);

/**
 * A failure in Grok's words. `Internal error: ` is followed by JSON: a text, or an object with a code. The stop reason is
 * `cancelled` for every run that Grok itself ends early. If nothing else explains it, the denied call was the reason.
 */
export function failureOf(words: string, stopReason?: string, denied?: string): ReportedFailure {
  if (words === "cancelled" && denied !== undefined)
    return { message: denied, kind: "permission", isReported: true };
  const body = parseJson(/^Internal error: ([\s\S]*)$/.exec(words)?.[1] ?? "");
  const error = asObject(body);
  const message = asText(body) ?? asText(error?.["message"]) ?? words;
  const code = asText(error?.["error_kind"]);
  return {
    message,
    code,
    status: numberIn(message, /^[\w ]+ \(([45]\d\d)\) from /),
    kind: kinds.get(code) ?? kinds.get(stopReason),
    isReported: true,
  };
}

/** Without a terminal nobody can be asked for permission. The call is denied, and the run ends with exit code 0 (1.0.41). */
export function deniedBy(output: JsonValue | undefined): string | undefined {
  return typeof output === "string" && output.startsWith("User cancelled the execution for tool ")
    ? output
    : undefined;
}
