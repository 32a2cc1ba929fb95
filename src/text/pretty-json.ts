import { toJson } from "../formats/to-ndjson.js";
import { stringifyExact } from "../vocabulary/exact-number.js";

/** JSON on many lines; too deep a nesting is told, not followed. */
export function toPrettyJson(value: unknown): string {
  try {
    return stringifyExact(value, 2);
  } catch {
    return toJson(value);
  }
}
