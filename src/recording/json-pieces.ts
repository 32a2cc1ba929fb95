import { spellSafely, toJson } from "../formats/to-ndjson.js";

/** Strings from this length on are written in parts. */
export const longFrom = 256 * 1024;
const partLength = 64 * 1024;

/** Values that are nested deeper are written in one piece: how those are cut is not ours to decide. */
const deepest = 100;

/** Items as newline-delimited JSON, in pieces that are never long. Joined, they are exactly what `toNdjson` gives. */
export function* ndjsonPieces(items: Iterable<unknown>): Generator<string> {
  for (const item of items) {
    for (const piece of jsonPieces(item)) yield spellSafely(piece);
    yield "\n";
  }
}

/**
 * The JSON text of a value, in pieces that are never long, so that a line of 60 MB is not in memory once
 * more for each file it goes to. Joined, they are exactly what `toJson` gives.
 */
export function* jsonPieces(value: unknown): Generator<string> {
  if (isDeep(value, 0)) yield toJson(value);
  else yield* piecesOf(value);
}

function* piecesOf(value: unknown): Generator<string> {
  if (!hasLongText(value)) yield toJson(value);
  else if (typeof value === "string") yield* stringPieces(value);
  else if (Array.isArray(value)) yield* arrayPieces(value);
  else if (isContainer(value)) yield* objectPieces(value);
}

function* arrayPieces(items: readonly unknown[]): Generator<string> {
  let before = "[";
  for (const item of items) {
    yield before;
    yield* piecesOf(item);
    before = ",";
  }
  yield "]";
}

function* objectPieces(value: object): Generator<string> {
  let before = "{";
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined) continue;
    yield `${before}${JSON.stringify(key)}:`;
    yield* piecesOf(item);
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

function hasLongText(value: unknown): boolean {
  if (typeof value === "string") return value.length >= longFrom;
  return isContainer(value) && Object.values(value).some(hasLongText);
}

function isDeep(value: unknown, depth: number): boolean {
  if (!isContainer(value)) return false;
  return depth > deepest || Object.values(value).some((item) => isDeep(item, depth + 1));
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
