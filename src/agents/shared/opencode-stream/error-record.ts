import type { FailureKind } from "../../../events/failure.js";
import { classifyFailure } from "../../../events/failure-kind.js";
import type { ReportedFailure } from "../../../events/run-state.js";
import { asNumber, asObject, asText } from "../../../text/fields.js";
import type { JsonObject, JsonValue } from "../../../text/json.js";

/**
 * What an `error` record says: a named error with its data, an error with a type (OpenCode 2), or (Kilo's own) a sentence.
 */
export function readError(record: JsonObject): ReportedFailure | undefined {
  return readNested(record["error"]) ?? readNamed(record);
}

function readNested(error: JsonValue | undefined): ReportedFailure | undefined {
  const sentence = asText(error);
  if (sentence !== undefined) return { message: sentence, isReported: true };
  const fields = asObject(error);
  if (fields === undefined) return undefined;
  return fields["name"] === undefined ? readTyped(fields) : readNamed(fields);
}

function readNamed(fields: JsonObject): ReportedFailure | undefined {
  const data = asObject(fields["data"]) ?? {};
  const code = asText(fields["name"]);
  const message = asText(data["message"]) ?? asText(fields["message"]) ?? code;
  if (message === undefined) return undefined;
  const status = asNumber(data["statusCode"]) ?? asNumber(fields["statusCode"]);
  return { message, code, status, kind: isOwnFault(data) ? "unknown" : undefined, isReported: true };
}

/** The type follows from the provider's status, so what the message says is closer to the cause. */
function readTyped(fields: JsonObject): ReportedFailure | undefined {
  const code = asText(fields["type"]);
  const message = asText(fields["message"]) ?? code;
  if (message === undefined) return undefined;
  const status = asNumber(fields["status"]) ?? asNumber(fields["statusCode"]);
  const isClear = classifyFailure({ code, status, text: message }) !== "unknown";
  const kind = isClear || code === undefined ? undefined : kindsOfTypes.get(code);
  return { message, code, status, kind, isReported: true };
}

/** The types of OpenCode 2 that name a cause. Its `aborted` is a code of many agents. */
const kindsOfTypes: ReadonlyMap<string, FailureKind> = new Map([
  ["provider.auth", "auth"],
  ["provider.rate-limit", "rate_limit"],
  ["provider.quota", "quota"],
  ["provider.transport", "network"],
  ["provider.internal", "provider"],
  ["provider.invalid-output", "provider"],
  ["provider.content-filter", "refusal"],
  ["provider.no-route", "model_not_found"],
  ["permission.rejected", "permission"],
]);

/**
 * The agent's own server failed and returns only a reference into its log: `Unexpected server error`. The provider is not
 * the cause, whatever the message says (1.18.33: a model that is not configured).
 */
function isOwnFault(data: JsonObject): boolean {
  return asText(data["ref"]) !== undefined;
}
