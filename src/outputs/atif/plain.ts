import { wellFormed } from "../../text/clean-text.js";
import { ExactNumber } from "../../text/exact-number.js";

/** Deeper than any real value, and well above what `JSON.stringify` can write. */
const deepest = 300;

type Plain = { [key: string]: unknown };

/** A copy of an object of JSON values, with text that every reader takes. What is nested too deeply is replaced by a note. */
export function plainObject(value: object): Plain {
  return copyOf(value, 0);
}

function copyOf(value: object, depth: number): Plain {
  const copy: [string, unknown][] = [];
  for (const [key, item] of Object.entries(value))
    if (item !== undefined) copy.push([wellFormed(key), plain(item, depth + 1)]);
  return Object.fromEntries(copy);
}

function plain(value: unknown, depth: number): unknown {
  if (typeof value === "string") return wellFormed(value);
  if (typeof value !== "object" || value === null || value instanceof ExactNumber) return value;
  if (depth >= deepest) return "… (nested too deeply)";
  return Array.isArray(value) ? value.map((item) => plain(item, depth + 1)) : copyOf(value, depth);
}
