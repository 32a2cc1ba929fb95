import { ExactNumber } from "./exact-number.js";
import type { JsonObject, JsonValue } from "./json.js";

/** Tolerant readers for foreign JSON: a missing or wrongly typed field reads as undefined. */

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Number);
}

export function asObject(value: JsonValue | undefined): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}

export function asArray(value: JsonValue | undefined): JsonValue[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

/** A non-empty string. */
export function asText(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The non-empty strings of a list. Anything else in it is left out, and what is not a list has none. */
export function asTexts(value: JsonValue | undefined): string[] {
  return (asArray(value) ?? []).flatMap((item) => asText(item) ?? []);
}

export function asNumber(value: JsonValue | undefined): number | undefined {
  const number: unknown = isExact(value) ? value.valueOf() : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

function isExact(value: unknown): value is ExactNumber {
  return value instanceof ExactNumber;
}

/** A non-negative integer: a token count, a line number. */
export function asCount(value: JsonValue | undefined): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

export function asInteger(value: JsonValue | undefined): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) ? value : undefined;
}

/** A boolean, in any spelling that versions and forks of an agent use: `true`, `"true"`, `1`. */
export function asFlag(value: JsonValue | undefined): boolean | undefined {
  return typeof value === "boolean"
    ? value
    : flags.get(typeof value === "string" ? value.toLowerCase() : value);
}

const flags: ReadonlyMap<JsonValue | undefined, boolean> = new Map<JsonValue, boolean>([
  ["true", true],
  ["1", true],
  [1, true],
  ["false", false],
  ["0", false],
  [0, false],
]);

/** The first of several candidate keys that holds a non-empty string. */
export function firstText(object: JsonObject, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const text = asText(object[key]);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** The first of several candidate keys that holds a count. */
export function firstCount(object: JsonObject, keys: readonly string[]): number | undefined {
  for (const key of keys) {
    const count = asCount(object[key]);
    if (count !== undefined) return count;
  }
  return undefined;
}

/**
 * The text of a tool result. If all blocks are text, they are joined; any other content stays as it is, so
 * that nothing is lost.
 */
export function joinTextBlocks(content: JsonValue | undefined): JsonValue | undefined {
  const blocks = asArray(content);
  if (blocks === undefined || blocks.length === 0) return content;
  const texts: string[] = [];
  for (const block of blocks) {
    const object = asObject(block);
    if (object?.["type"] !== "text" || typeof object["text"] !== "string") return content;
    texts.push(object["text"]);
  }
  return texts.join("\n");
}

/** The number in the first group of a pattern, such as the exit code in `Exit code 3`. Undefined if the pattern does not match. */
export function numberIn(text: string, pattern: RegExp): number | undefined {
  const digits = pattern.exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
