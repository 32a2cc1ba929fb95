import { isJson, type JsonValue } from "../../text/json.js";
import { parseExact } from "../../text/parse-exact.js";

/** The JSON value in a text, for values that agents pass on as text. Undefined if the text is not valid JSON. */
export function parseJson(text: string): JsonValue | undefined {
  try {
    const value = parseExact(text);
    return isJson(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
