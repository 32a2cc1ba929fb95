import { spellSafely, toJson } from "./to-json.js";

/** Strings from this length on are written in parts. */
export const longFrom = 256 * 1024;
const partLength = 64 * 1024;

/** Values that are nested deeper are written in one piece: `toJson` decides how they are cut. */
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
  const long = new Set<object>();
  const isDeep = survey(value, long);
  if (isDeep || !isLong(value, long)) yield toJson(value);
  else yield* piecesOf(value, long);
}

/** `long`: the arrays and objects that have a long text in them. */
function* piecesOf(value: unknown, long: ReadonlySet<object>): Generator<string> {
  if (typeof value === "string") yield* stringPieces(value);
  else if (isContainer(value)) yield* itemPieces(value, long);
}

/** Short items go together, up to the length of a piece. */
function* itemPieces(value: Container, long: ReadonlySet<object>): Generator<string> {
  const isArray = Array.isArray(value);
  let text = isArray ? "[" : "{";
  let before = "";
  for (const key in value) {
    const item = value[key];
    if (item === undefined && !isArray) continue;
    text += isArray ? before : `${before}${JSON.stringify(key)}:`;
    before = ",";
    if (isLong(item, long)) {
      yield text;
      text = "";
      yield* piecesOf(item, long);
    } else text += toJson(item) ?? "null";
    if (text.length < partLength) continue;
    yield text;
    text = "";
  }
  yield text + (isArray ? "]" : "}");
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

/** Never between the halves of a surrogate pair, which would each be written as an escape. */
function endOfPart(text: string, start: number): number {
  const end = Math.min(text.length, start + partLength);
  const last = text.charCodeAt(end - 1);
  return end < text.length && last >= 0xd800 && last <= 0xdbff ? end + 1 : end;
}

type Container = { [key: string]: unknown };

function isLong(value: unknown, long: ReadonlySet<object>): boolean {
  return typeof value === "string" ? value.length >= longFrom : isContainer(value) && long.has(value);
}

/** At most this many values are examined. Text behind them is written in one piece, which takes more memory and nothing else. */
const mostLookedAt = 20_000;

/**
 * Collects the arrays and objects that have a long text in them. Returns true if the value is nested too deeply for pieces.
 * The look is bounded: a value may have a million keys, and goes into several files and formats.
 */
function survey(whole: unknown, long: Set<object>): boolean {
  let left = mostLookedAt;
  let isDeep = false;

  function hasLong(value: unknown, depth: number): boolean {
    if (typeof value === "string") return value.length >= longFrom;
    if (!isContainer(value)) return false;
    if (depth >= deepest) isDeep = true;
    // A plain loop: making the entries of a million keys is slow.
    for (const key in value) {
      if (isDeep || left === 0) break;
      left -= 1;
      if (hasLong(value[key], depth + 1)) long.add(value);
    }
    return long.has(value);
  }

  hasLong(whole, 0);
  return isDeep;
}

function isContainer(value: unknown): value is Container {
  return typeof value === "object" && value !== null;
}
