import type { FailureKind } from "../../../events/failure.js";
import { asInteger, asObject, asText } from "../../../text/fields.js";
import type { JsonObject, JsonValue } from "../../../text/json.js";

/** What Codex calls a failed request to the model. Other words say nothing certain: then the message decides. */
const kinds: ReadonlyMap<string, FailureKind> = new Map([
  ["contextWindowExceeded", "context_overflow"],
  ["sessionBudgetExceeded", "budget"],
  ["usageLimitExceeded", "quota"],
  ["rateLimitExceeded", "rate_limit"],
  ["flexUnavailable", "provider"],
  ["serverOverloaded", "provider"],
  ["policyCapacityUnavailable", "provider"],
  ["internalServerError", "provider"],
  ["modelNotFound", "model_not_found"],
  ["cyberPolicy", "refusal"],
  ["misalignmentPolicyViolation", "refusal"],
  ["unauthorized", "auth"],
  ["httpConnectionFailed", "network"],
  ["responseStreamConnectionFailed", "network"],
  ["responseStreamDisconnected", "network"],
]);

/** The error of a turn, or of an `error` notification. */
export interface CodexError {
  message: string;
  /** For people: the message, and the cause of a retry. */
  words: string;
  code: string | undefined;
  kind: FailureKind | undefined;
  status: number | undefined;
}

export function errorIn(value: JsonValue | undefined): CodexError | undefined {
  const error = asObject(value);
  const message = asText(error?.["message"]);
  if (error === undefined || message === undefined) return undefined;
  const { code, status } = infoOf(error["codexErrorInfo"]);
  const details = asText(error["additionalDetails"]);
  return {
    message,
    words: details === undefined ? message : `${message} (${details})`,
    code,
    // An HTTP status is more certain: a connection that fails with 401 is not a network problem.
    kind: status === undefined && code !== undefined ? kinds.get(code) : undefined,
    status,
  };
}

/** A word, or an object whose one key is the word. */
function infoOf(info: JsonValue | undefined): { code?: string | undefined; status?: number | undefined } {
  if (typeof info === "string") return { code: info };
  const [entry] = Object.entries(asObject(info) ?? {});
  if (entry === undefined) return {};
  const details: JsonObject | undefined = asObject(entry[1]);
  return { code: entry[0], status: asInteger(details?.["httpStatusCode"]) };
}
