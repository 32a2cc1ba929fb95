import type { TextPiece } from "../../agents/streamed-text.js";
import { type JsonString, mapJsonStrings } from "./json-strings.js";
import { maskAfterFlag, maskNamed } from "./named-value.js";
import type { Redactor } from "./redactor.js";
import type { MaskedPiece } from "./text-mask.js";

/** A line of JSON. Its pieces of longer texts may still change. */
export interface MaskedLine {
  readonly isDone: boolean;
  /** The line without its secrets, once it is done. */
  text(): string;
}

export interface JsonLineOptions {
  redactor: Redactor;
  pieces: readonly TextPiece[];
  /** Adds a piece to the text that it belongs to. */
  push(piece: TextPiece): MaskedPiece;
  /** Other texts in the line may have been cut. */
  isCut: boolean;
}

interface Placed {
  text: string;
  source: string;
  piece: MaskedPiece;
}

/** Masks every decoded string of a line of JSON on its own, and leaves everything else as it is. */
export function maskJsonLine(line: string, options: JsonLineOptions): MaskedLine {
  const { redactor, pieces, push, isCut } = options;
  const placed: Placed[] = [];

  function change(string: JsonString): string | Placed | undefined {
    const piece = string.isKey ? undefined : pieces.find(({ path }) => isSamePath(path, string.path));
    // If a key comes twice, the last value counts: the others are ordinary texts.
    if (piece !== undefined && piece.text === string.text) {
      const one = { text: string.text, source: string.source, piece: push(piece) };
      placed.push(one);
      return one;
    }
    const masked =
      maskByNeighbour(string) ?? (isCut ? redactor.cutText(string.text) : redactor.text(string.text));
    return masked === string.text ? undefined : JSON.stringify(masked);
  }

  const parts = mapJsonStrings(line, change);
  return {
    get isDone() {
      return placed.every(({ piece }) => piece.isDone);
    },
    text() {
      return parts.map((part) => (typeof part === "string" ? part : toJson(part))).join("");
    },
  };
}

function toJson({ text, source, piece }: Placed): string {
  return piece.masked === text ? source : JSON.stringify(piece.masked);
}

function isSamePath(one: readonly (string | number)[], other: readonly (string | number)[]): boolean {
  return one.length === other.length && one.every((name, index) => name === other[index]);
}

/** Masks a value because of its neighbour: `{"password": "…"}`, `{"Cookie": "…"}` and `["--password", "…"]`. */
function maskByNeighbour({ text, isKey, path, previous }: JsonString): string | undefined {
  if (isKey) return undefined;
  const name = path.at(-1);
  return typeof name === "string" ? maskNamed(text, name) : maskAfterFlag(text, previous);
}
