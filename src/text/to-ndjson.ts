import { ExactNumber, stringifyExact } from "./exact-number.js";

/**
 * Items as newline-delimited JSON: one item, one line. Empty when there are none. It can be looked at in a terminal: see
 * `spellSafely`.
 */
export function toNdjson(items: readonly unknown[]): string {
  let text = "";
  for (const item of items) text += `${toJson(item)}\n`;
  return spellSafely(text);
}

/** DEL and C1 controls, which terminals obey; separators of lines; marks and overrides of direction. */
const risky = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;
const everyRisky = new RegExp(risky, "g");

/**
 * JSON text that means the same and does nothing to a terminal: what `JSON.stringify` leaves as it is and a terminal would
 * obey is written as an escape. Any part of a JSON text may be given.
 */
export function spellSafely(json: string): string {
  return risky.test(json) ? json.replace(everyRisky, toEscape) : json;
}

function toEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
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
