import { spellSafely, toJson } from "./to-ndjson.js";

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
  const long = new Set<object>();
  if (survey(value, long).height > deepest || !isLong(value, long)) yield toJson(value);
  else yield* piecesOf(value, long);
}

/** Of what is long. `long`: the arrays and objects that have a long text in them. */
function* piecesOf(value: unknown, long: ReadonlySet<object>): Generator<string> {
  if (typeof value === "string") yield* stringPieces(value);
  else if (isContainer(value)) yield* itemPieces(value, long);
}

/** What is short goes together, up to the length of a piece. */
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

/** Never between the halves of a character, which would each be written as an escape. */
function endOfPart(text: string, start: number): number {
  const end = Math.min(text.length, start + partLength);
  const last = text.charCodeAt(end - 1);
  return end < text.length && last >= 0xd800 && last <= 0xdbff ? end + 1 : end;
}

type Container = { [key: string]: unknown };

function isLong(value: unknown, long: ReadonlySet<object>): boolean {
  return typeof value === "string" ? value.length >= longFrom : isContainer(value) && long.has(value);
}

interface Survey {
  /** How deep it is nested. */
  height: number;
  hasLong: boolean;
}

const flat: Survey = { height: 0, hasLong: false };
const longText: Survey = { height: 0, hasLong: true };

/**
 * Large values without a long text. The same value goes into several files and formats, and a million keys take a second to
 * look at: once is enough.
 */
const surveyed = new WeakMap<object, Survey>();
const largeFrom = 1000;

/** Looks at each value once, and no deeper than needed. A plain loop: the entries of a million keys are slow to make. */
function survey(value: unknown, long: Set<object>, depth = 0): Survey {
  if (typeof value === "string") return value.length >= longFrom ? longText : flat;
  if (!isContainer(value) || depth > deepest) return flat;
  const known = surveyed.get(value);
  if (known !== undefined) return known;
  let count = 0;
  let height = 0;
  let hasLong = false;
  for (const key in value) {
    const item = survey(value[key], long, depth + 1);
    count += 1;
    height = Math.max(height, item.height);
    hasLong ||= item.hasLong;
  }
  if (hasLong) long.add(value);
  const found = { height: height + 1, hasLong };
  if (count >= largeFrom && !hasLong && depth + height < deepest) surveyed.set(value, found);
  return found;
}

function isContainer(value: unknown): value is Container {
  return typeof value === "object" && value !== null;
}
