import { asArray, asObject } from "../text/fields.js";
import type { JsonObject, JsonValue } from "../text/json.js";

/**
 * Which records of an agent's stream carry pieces of a longer text. Redaction needs the whole text before it lets a piece
 * go, because a secret may be split between two pieces.
 */
export interface StreamedText {
  pieces: readonly PieceRule[];
  /**
   * Records that end texts: the texts whose `key` begins with the key of the record. Left out: texts follow each other,
   * and any record that is not the next piece of a text ends it.
   */
  ends?: readonly RecordRule[];
  /** Records without text that may wait with the pieces around them. Other records go on at once. */
  between?: readonly Condition[];
  /** Records that repeat the text so far, so that a text in them may end anywhere. */
  growing?: readonly Condition[];
}

/** Which records a rule is about. */
export interface RecordRule {
  when: Condition;
  /** Paths of the fields that distinguish texts. */
  key?: readonly string[];
}

/** Which records carry pieces of a text, and where in them. */
export interface PieceRule extends RecordRule {
  /** Paths of the pieces. `*` stands for every element of a list. */
  text: readonly string[];
}

/**
 * What the fields of a record must be, by their paths (`event.type`): one value, or one of several. `"*"` stands for any
 * value, `null` for a missing one.
 */
export type Condition = Readonly<Record<string, string | true | null | readonly string[]>>;

/** A piece in a record. */
export interface TextPiece {
  text: string;
  path: readonly (string | number)[];
  key: readonly string[];
}

export function piecesOf(record: JsonObject, { pieces }: StreamedText): TextPiece[] {
  return pieces.flatMap(({ when, text, key = [] }) => {
    if (!holds(record, when)) return [];
    return text.flatMap((path) =>
      textsAt(record, path.split("."), []).map((found) => ({
        ...found,
        key: [...keyOf(record, key), path],
      })),
    );
  });
}

/** The beginnings of the keys of the texts that a record ends. */
export function endsOf(record: JsonObject, { ends = [] }: StreamedText): string[][] {
  return ends.flatMap(({ when, key = [] }) => (holds(record, when) ? [keyOf(record, key)] : []));
}

export function isBetween(record: JsonObject, { between = [] }: StreamedText): boolean {
  return between.some((when) => holds(record, when));
}

export function isGrowing(record: JsonObject, { growing = [] }: StreamedText): boolean {
  return growing.some((when) => holds(record, when));
}

function keyOf(record: JsonObject, paths: readonly string[]): string[] {
  return paths.map((path) => String(valueAt(record, path) ?? ""));
}

function holds(record: JsonObject, when: Condition): boolean {
  return Object.entries(when).every(([path, wanted]) => {
    const value = valueAt(record, path);
    if (wanted === null) return value === undefined || value === null;
    if (wanted === "*") return value !== undefined && value !== null;
    if (wanted === true) return value === true;
    if (typeof wanted === "string") return value === wanted;
    return typeof value === "string" && wanted.includes(value);
  });
}

function valueAt(record: JsonObject, path: string): JsonValue | undefined {
  let value: JsonValue | undefined = record;
  for (const name of path.split(".")) value = fieldOf(value, name);
  return value;
}

function fieldOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  const object = asObject(value);
  return object !== undefined && Object.hasOwn(object, name) ? object[name] : undefined;
}

function textsAt(
  value: JsonValue | undefined,
  path: readonly string[],
  walked: readonly (string | number)[],
): { text: string; path: readonly (string | number)[] }[] {
  const [name, ...rest] = path;
  if (name === undefined) return typeof value === "string" ? [{ text: value, path: walked }] : [];
  if (name !== "*") return textsAt(fieldOf(value, name), rest, [...walked, name]);
  return (asArray(value) ?? []).flatMap((item, index) => textsAt(item, rest, [...walked, index]));
}
