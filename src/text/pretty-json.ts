import { stringifyExact } from "./exact-number.js";
import { toJson } from "./to-ndjson.js";

/** JSON on many lines; too deep a nesting is told, not followed. */
export function toPrettyJson(value: unknown): string {
  try {
    return stringifyExact(value, 2);
  } catch {
    return toJson(value);
  }
}
