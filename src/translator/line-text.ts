import type { JsonValue } from "../vocabulary/json.js";

/** The JSON value of a line, or undefined when it is not JSON. */
export function parseLine(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  } catch {
    return undefined;
  }
}

export function withoutCarriageReturn(text: string): string {
  return text.charCodeAt(text.length - 1) === 13 ? text.slice(0, -1) : text;
}
