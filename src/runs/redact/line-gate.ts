import {
  endsOf,
  isBetween,
  isGrowing,
  type Piece,
  piecesOf,
  type StreamedText,
} from "../../agents/streamed-text.js";
import type { JsonObject } from "../../text/json.js";
import { parseOwnJson } from "../../text/parse-json.js";
import { type MaskedLine, maskJsonLine } from "./json-line.js";
import { createPlainLines } from "./plain-lines.js";
import type { Redactor } from "./redactor.js";
import { createTextMask, type TextMask } from "./text-mask.js";

/** A line that may go on, without its secrets. `about` is whatever came with it. */
export interface FreeLine<T> {
  text: string;
  about: T;
}

/**
 * Lets the lines of a run through without their secrets, those of each stream in the order they came. A line with a piece of
 * a longer text waits, and all lines of standard output behind it, as long as that piece may end in the beginning of a
 * secret: until the next piece shows what it is, or the text ends. It never waits for more than a few lines. Lines of
 * standard error go at once: they neither wait for a text nor cut it, since when they come between two pieces is chance.
 */
export interface LineGate<T> {
  push(stream: "stdout" | "stderr", line: string, about: T, isCut?: boolean): FreeLine<T>[];
  /** All texts are complete: nothing more will come on this stream. */
  end(stream: "stdout" | "stderr"): FreeLine<T>[];
  /** Lets all lines go now. What could be a secret in them is masked; the texts go on. */
  release(): FreeLine<T>[];
}

const mostLines = 64;
const mostCharacters = 4 * 1024 * 1024;

const nothingStreamed: StreamedText = { pieces: [] };

export function createLineGate<T>(redactor: Redactor, streamed: StreamedText = nothingStreamed): LineGate<T> {
  const plain = { stdout: createPlainLines(redactor), stderr: createPlainLines(redactor) };
  /** Texts that are not complete, by their keys. */
  const texts = new Map<string, { key: readonly string[]; mask: TextMask }>();
  let queue: { line: MaskedLine; length: number; about: T }[] = [];
  let waiting = 0;

  function push(piece: Piece): ReturnType<TextMask["push"]> {
    const name = JSON.stringify(piece.key);
    const known = texts.get(name);
    const mask = known?.mask ?? createTextMask(redactor.scanner);
    if (known === undefined) texts.set(name, { key: piece.key, mask });
    return mask.push(piece.text);
  }

  function endTexts(isEnded: (key: readonly string[]) => boolean): void {
    for (const [name, { key, mask }] of texts) {
      if (!isEnded(key)) continue;
      mask.end();
      texts.delete(name);
    }
  }

  function cutTexts(): void {
    for (const { mask } of texts.values()) mask.cut();
  }

  function maskRecord(line: string, record: JsonObject): MaskedLine {
    const pieces = piecesOf(record, streamed);
    if (streamed.ends === undefined) {
      endTexts((key) => !pieces.some((piece) => isBeginning(piece.key, key)));
    }
    const isCut = pieces.length > 0 || isGrowing(record, streamed);
    const masked = maskJsonLine(line, { redactor, pieces, push, isCut });
    for (const ended of endsOf(record, streamed)) endTexts((key) => isBeginning(ended, key));
    if (pieces.length === 0 && !isBetween(record, streamed)) cutTexts();
    return masked;
  }

  function maskLine(stream: "stdout" | "stderr", line: string, isCut: boolean): MaskedLine {
    const value = isCut ? undefined : parse(line);
    if (stream === "stdout") {
      if (isRecord(value)) return maskRecord(line, value);
      cutTexts();
    }
    if (value !== undefined) {
      return maskJsonLine(line, { redactor, pieces: [], push, isCut: false });
    }
    const text = plain[stream](line, isCut);
    return { isDone: true, text: () => text };
  }

  function take(): FreeLine<T>[] {
    const held = queue.findIndex(({ line }) => !line.isDone);
    const free = held === -1 ? queue : queue.slice(0, held);
    queue = held === -1 ? [] : queue.slice(held);
    return free.map(({ line, length, about }) => {
      waiting -= length;
      return { text: line.text(), about };
    });
  }

  return {
    push(stream, line, about, isCut = false) {
      const masked = maskLine(stream, line, isCut);
      if (stream === "stderr") return [{ text: masked.text(), about }];
      queue.push({ line: masked, length: line.length, about });
      waiting += line.length;
      const free = take();
      if (queue.length <= mostLines && waiting <= mostCharacters) return free;
      cutTexts();
      return [...free, ...take()];
    },
    end(stream) {
      if (stream === "stdout") {
        cutTexts();
        endTexts(() => true);
      }
      return take();
    },
    release() {
      cutTexts();
      return take();
    },
  };
}

function isBeginning(beginning: readonly string[], key: readonly string[]): boolean {
  return beginning.every((part, index) => part === key[index]);
}

/** The value of a line that is an object or a list; undefined for everything else. */
function parse(line: string): unknown {
  const first = /^\s*([[{])/.exec(line.slice(0, 64));
  if (first === null) return undefined;
  return parseOwnJson(line);
}

function isRecord(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
