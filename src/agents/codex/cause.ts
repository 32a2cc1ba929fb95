import { asObject, asText } from "../../text/fields.js";
import { parseJson } from "../../text/parse-json.js";

/** The cause of a failure. If Codex passes on a response body as JSON text (status 400), its own message is used. */
export function causeOf(message: string): { message: string; code?: string | undefined } {
  const error = message.startsWith("{") ? asObject(asObject(parseJson(message))?.["error"]) : undefined;
  const words = asText(error?.["message"]);
  return words === undefined
    ? { message }
    : { message: words, code: asText(error?.["code"]) ?? asText(error?.["type"]) };
}
