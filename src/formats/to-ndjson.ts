import { ExactNumber, stringifyExact } from "../vocabulary/exact-number.js";

/** Items as newline-delimited JSON: one item, one line. Empty when there are none. */
export function toNdjson(items: readonly unknown[]): string {
  let text = "";
  for (const item of items) text += `${toJson(item)}\n`;
  return text;
}

/** Far beyond anything meant, far below where `JSON.stringify` runs out of stack (about 4,000). */
const deepest = 500;

/**
 * JSON text of any value. `JSON.parse` reads nesting of any depth, `JSON.stringify` does not write it: what
 * lies too deep is left out and said so. The recording keeps the line as it was.
 */
export function toJson(value: unknown): string {
  try {
    return stringifyExact(value);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return stringifyExact(withoutDepths(value, 0));
  }
}

function withoutDepths(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null || value instanceof ExactNumber) return value;
  if (depth === deepest) return "… (nested too deeply)";
  if (Array.isArray(value)) return value.map((item) => withoutDepths(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, withoutDepths(item, depth + 1)]),
  );
}
