import { toJson } from "../formats/to-ndjson.js";

/** JSON on many lines; too deep a nesting is told, not followed. */
export function toPrettyJson(value: unknown): string {
  try {
    return JSON.stringify(value, null, 2);
  } catch {
    return toJson(value);
  }
}
