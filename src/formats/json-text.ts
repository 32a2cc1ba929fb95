import type { JsonValue } from "../vocabulary/json.js";

/** Tool input and output as a string: text as it is, anything else as JSON text. */
export function toJsonText(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
