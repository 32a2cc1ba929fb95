import type { JsonValue } from "./json.js";
import { toJson } from "./to-ndjson.js";

/** Tool input and output as a string: text as it is, anything else as JSON text. */
export function toJsonText(value: JsonValue): string {
  return typeof value === "string" ? value : toJson(value);
}
