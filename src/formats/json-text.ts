import type { JsonValue } from "../vocabulary/json.js";

/** Tool input and output as a string: text as it is, anything else as JSON text. */
export function toJsonText(value: JsonValue): string {
  if (typeof value === "string") return value;
  try {
    return JSON.stringify(value);
  } catch {
    // `JSON.parse` reads any depth, `JSON.stringify` runs out of stack after some thousand levels.
    return "(nested too deeply to be written)";
  }
}
