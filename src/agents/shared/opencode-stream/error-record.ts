import type { ReportedFailure } from "../../../events/run-state.js";
import { asNumber, asObject, asText } from "../../../text/fields.js";
import type { JsonObject, JsonValue } from "../../../text/json.js";

/** What an `error` record says: a named error with its data, or (Kilo's own) a sentence. */
export function readError(error: JsonValue | undefined): ReportedFailure | undefined {
  const sentence = asText(error);
  if (sentence !== undefined) return { message: sentence, isReported: true };
  const fields = asObject(error);
  const data = asObject(fields?.["data"]) ?? {};
  const code = asText(fields?.["name"]);
  const message = asText(data["message"]) ?? asText(fields?.["message"]) ?? code;
  if (message === undefined) return undefined;
  const status = asNumber(data["statusCode"]) ?? asNumber(fields?.["statusCode"]);
  return { message, code, status, kind: isOwnFault(data) ? "unknown" : undefined, isReported: true };
}

/**
 * The agent's own server failed and returns only a reference into its log: `Unexpected server error`. The provider is not
 * the cause, whatever the message says (1.18.33: a model that is not configured).
 */
function isOwnFault(data: JsonObject): boolean {
  return asText(data["ref"]) !== undefined;
}
