import { isJson, type JsonValue } from "./json.js";
import { parseExact } from "./parse-exact.js";

/** The JSON value of a line, or undefined when it is not JSON. */
export function parseLine(text: string): JsonValue | undefined {
  try {
    const value = parseExact(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
    return isJson(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function withoutCarriageReturn(text: string): string {
  return text.charCodeAt(text.length - 1) === 13 ? text.slice(0, -1) : text;
}
