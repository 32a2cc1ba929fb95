import { isJson, type JsonValue } from "../../text/json.js";
import { parseExact } from "../../text/parse-exact.js";

/** The JSON value that a text holds, for values that agents pass on as text; undefined when it is not JSON. */
export function parseJson(text: string): JsonValue | undefined {
  try {
    const value = parseExact(text);
    return isJson(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
