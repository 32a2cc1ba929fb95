import { isJson, type JsonValue } from "./json.js";
import { parseExact } from "./parse-exact.js";

/** The JSON value of a text, or undefined if it is not JSON. Numbers are exact; a byte order mark is skipped. */
export function parseJson(text: string): JsonValue | undefined {
  try {
    const value = parseExact(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
    return isJson(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The same with the numbers of `JSON.parse`: for text that harness itself has written, and fast. */
export function parseOwnJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
