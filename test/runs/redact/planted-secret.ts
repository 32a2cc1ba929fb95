import fc from "fast-check";
import type { AgentDefinition } from "../../../src/agents/definition.js";
import { endsOf, piecesOf, type TextPiece } from "../../../src/agents/streamed-text.js";
import type { JsonObject, JsonValue } from "../../../src/text/json.js";

/** A text of a capture that came in pieces, and the lines that they are in. */
export interface StreamedMessage {
  whole: string;
  pieces: { line: number; piece: TextPiece }[];
}

export function parseRecord(line: string): JsonObject | undefined {
  try {
    const value: JsonValue = JSON.parse(line);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The texts of a capture that came in pieces. */
export function messagesOf({ streamedText }: AgentDefinition, lines: readonly string[]): StreamedMessage[] {
  if (streamedText === undefined) return [];
  const done: StreamedMessage[] = [];
  let open = new Map<string, StreamedMessage>();
  for (const [line, text] of lines.entries()) {
    const record = parseRecord(text);
    if (record === undefined) continue;
    const pieces = piecesOf(record, streamedText);
    const names = new Set(pieces.map(({ key }) => JSON.stringify(key)));
    const ends = endsOf(record, streamedText);
    for (const [name, message] of open) {
      const key: string[] = message.pieces[0]?.piece.key.slice() ?? [];
      const isEnded =
        streamedText.ends === undefined
          ? !names.has(name)
          : ends.some((end) => end.every((part, index) => part === key[index]));
      if (!isEnded) continue;
      done.push(message);
      open.delete(name);
    }
    for (const piece of pieces) {
      const name = JSON.stringify(piece.key);
      const message = open.get(name) ?? { whole: "", pieces: [] };
      message.whole += piece.text;
      message.pieces.push({ line, piece });
      open.set(name, message);
    }
  }
  done.push(...open.values());
  open = new Map();
  return done;
}

export interface Planted {
  secret: string;
  /** Where in the text, and where its pieces end, as parts of 1. */
  at: number;
  splits: readonly number[];
  /** By how much texts that grow are ahead of the pieces. */
  ahead: number;
}

export function plantedArbitrary(secrets: readonly string[]): fc.Arbitrary<Planted> {
  const part = fc.double({ min: 0, max: 1, noNaN: true });
  return fc.record({
    secret: fc.constantFrom(...secrets),
    at: part,
    splits: fc.array(part, { minLength: 8, maxLength: 40 }),
    ahead: fc.nat(12),
  });
}

/** The same lines with a secret in the message: cut into other pieces, and in whatever restates it. */
export function plant(lines: readonly string[], message: StreamedMessage, how: Planted): string[] {
  const { whole, pieces } = message;
  const at = placeIn(whole, Math.floor(how.at * whole.length));
  const planted = `${whole.slice(0, at)} ${how.secret} ${whole.slice(at)}`;
  const ends = splitPoints(planted, at, how, pieces.length);
  const changed = [...lines];
  const own = new Map<number, Map<string, string>>();
  for (const [index, { line, piece }] of pieces.entries()) {
    const from = ends[index - 1] ?? 0;
    const byPath = own.get(line) ?? new Map<string, string>();
    byPath.set(JSON.stringify(piece.path), planted.slice(from, ends[index]));
    own.set(line, byPath);
  }
  const first = pieces[0]?.line ?? 0;
  let sent = 0;
  for (const [line, text] of lines.entries()) {
    const record = line < first ? undefined : parseRecord(text);
    if (record === undefined) continue;
    const index = pieces.findLastIndex((piece) => piece.line <= line);
    sent = Math.min(planted.length, (ends[index] ?? 0) + how.ahead);
    changed[line] = JSON.stringify(
      mapTexts(record, [], (leaf, path) => {
        const piece = own.get(line)?.get(JSON.stringify(path));
        if (piece !== undefined) return piece;
        if (leaf === whole) return planted;
        if (own.has(line) && leaf.length > 1 && whole.startsWith(leaf)) return planted.slice(0, sent);
        return whole.length >= 8 ? leaf.replaceAll(whole, () => planted) : leaf;
      }),
    );
  }
  return changed;
}

/** Within a word where there is one, so that JSON in pieces stays JSON. */
function placeIn(text: string, near: number): number {
  for (let at = near; at < text.length; at += 1) if (/^[a-z]{2}$/.test(text.slice(at - 1, at + 1))) return at;
  return near;
}

/** Some of the pieces end within the secret. */
function splitPoints(text: string, at: number, { secret, splits }: Planted, count: number): number[] {
  const length = secret.length + 2;
  const points = Array.from({ length: count - 1 }, (_, index) => {
    const part = splits[index % splits.length] ?? 0;
    return index % 4 === 3 ? Math.floor(part * text.length) : at + Math.floor(part * length);
  });
  return [...points.sort((a, b) => a - b), text.length];
}

function mapTexts(
  value: JsonValue,
  path: readonly (string | number)[],
  change: (text: string, path: readonly (string | number)[]) => string,
): JsonValue {
  if (typeof value === "string") return change(value, path);
  if (Array.isArray(value)) return value.map((item, index) => mapTexts(item, [...path, index], change));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, mapTexts(item, [...path, key], change)]),
  );
}
