import { toJson } from "../formats/to-ndjson.js";

/** Strings from this length on are written in parts. */
export const longFrom = 256 * 1024;
const partLength = 64 * 1024;

/** Deeper values are rare, never long, and written in one piece. */
const deepest = 100;

/**
 * The JSON text of a value, in pieces that are never long, so that a line of 60 MB is not in memory once
 * more for each file it goes to. Joined, they are exactly what `toJson` gives.
 */
export function* jsonPieces(value: unknown): Generator<string> {
  if (!hasLongText(value, 0)) {
    yield toJson(value);
    return;
  }
  if (typeof value === "string") yield* stringPieces(value);
  else if (Array.isArray(value)) yield* arrayPieces(value);
  else if (typeof value === "object" && value !== null) yield* objectPieces(value);
}

/** True when it is worth writing a value in pieces. */
export function hasLongText(value: unknown, depth = 0): boolean {
  if (typeof value === "string") return value.length >= longFrom;
  if (typeof value !== "object" || value === null || depth > deepest) return false;
  for (const item of Object.values(value)) if (hasLongText(item, depth + 1)) return true;
  return false;
}

function* arrayPieces(items: readonly unknown[]): Generator<string> {
  let before = "[";
  for (const item of items) {
    yield before;
    yield* jsonPieces(item === undefined ? null : item);
    before = ",";
  }
  yield "]";
}

function* objectPieces(value: object): Generator<string> {
  let before = "{";
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined) continue;
    yield `${before}${JSON.stringify(key)}:`;
    yield* jsonPieces(item);
    before = ",";
  }
  yield "}";
}

function* stringPieces(text: string): Generator<string> {
  yield '"';
  for (let at = 0; at < text.length; ) {
    const end = endOfPart(text, at);
    yield JSON.stringify(text.slice(at, end)).slice(1, -1);
    at = end;
  }
  yield '"';
}

/** Never between the halves of a character, which would each be written as an escape. */
function endOfPart(text: string, start: number): number {
  const end = Math.min(text.length, start + partLength);
  const last = text.charCodeAt(end - 1);
  return end < text.length && last >= 0xd800 && last <= 0xdbff ? end + 1 : end;
}
