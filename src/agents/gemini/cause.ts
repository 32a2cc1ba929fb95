import { asNumber, asObject, asText } from "../../text/fields.js";
import { parseJson } from "../../text/parse-json.js";
import type { Cause } from "../shared/gemini-stream/dialect.js";

/** `[API Error: {…}]`: the body that the API answered is read for its own words, code and status. */
export function geminiCause(message: string): Cause {
  const body = /^\[API Error: (\{.*\})\]/s.exec(message)?.[1];
  const error = asObject(asObject(body === undefined ? undefined : parseJson(body))?.["error"]);
  const words = asText(error?.["message"]);
  if (words === undefined) return { message };
  return { message: words, code: asText(error?.["status"]), status: asNumber(error?.["code"]) };
}
