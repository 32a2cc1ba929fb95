import { ExactNumber, stringifyExact } from "./exact-number.js";
import type { JsonValue } from "./json.js";
import { unsafeInJson } from "./unsafe-characters.js";

/** What Node has and browsers lack. */
declare const Buffer: { byteLength(text: string): number } | undefined;

/** Deeper than any real value, but well below where `JSON.stringify` runs out of stack (about 4,000). */
const deepest = 500;

/**
 * JSON text of any value. `JSON.parse` reads nesting of any depth, but `JSON.stringify` cannot write it: what is nested too
 * deeply is replaced by a note. The recording keeps the line as it was.
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

/** Tool input and output as a string: text as it is, anything else as JSON text. */
export function toJsonText(value: JsonValue): string {
  return typeof value === "string" ? value : toJson(value);
}

/** JSON on many lines. A value that is nested too deeply for that is on one line, as `toJson` writes it. */
export function toPrettyJson(value: unknown): string {
  try {
    return stringifyExact(value, 2);
  } catch {
    return toJson(value);
  }
}

/** Items as newline-delimited JSON: one item, one line. Empty if there are none. Safe to print to a terminal: see `spellSafely`. */
export function toNdjson(items: readonly unknown[]): string {
  let text = "";
  for (const item of items) text += `${toJson(item)}\n`;
  return spellSafely(text);
}

/**
 * JSON text that means the same and is safe to print to a terminal: `JSON.stringify` leaves some characters as they are that
 * a terminal obeys, that turn the text around or that hide in it. They are written as escapes. Any part of a JSON text may be
 * given, as long as no surrogate pair is split.
 */
export function spellSafely(json: string): string {
  return isPlainAscii(json) ? json : spellUnsafe(json);
}

/** The same for text that is not ASCII, as is known already. */
export function spellUnsafe(json: string): string {
  return unsafeInJson.hint.test(json) ? json.replace(unsafeInJson.every, toEscapes) : json;
}

/** Counts the bytes of a text in UTF-8. Undefined where nothing does that without making them. */
const countBytes = typeof Buffer === "undefined" ? undefined : Buffer.byteLength;

/**
 * True if a text is certainly ASCII without DEL, as nearly all text of nearly all agents is. A regular expression takes 100 ns
 * for an item of JSON; counting its bytes takes 5.
 */
function isPlainAscii(text: string): boolean {
  return countBytes !== undefined && countBytes(text) === text.length && !text.includes("\u007f");
}

/** A character beyond the first plane is two escapes. */
function toEscapes(character: string): string {
  return character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}
