import {
  endsOf,
  isBetween,
  isGrowing,
  piecesOf,
  type StreamedText,
  type TextPiece,
} from "../../agents/streamed-text.js";
import type { LineRecord } from "../../events/raw-record.js";
import type { JsonObject } from "../../text/json.js";
import { parseOwnJson } from "../../text/parse-json.js";
import { type MaskedLine, maskJsonLine } from "./json-line.js";
import { createPlainLines } from "./plain-lines.js";
import type { Redactor } from "./redactor.js";
import { createTextMask, type MaskedPiece, type TextMask } from "./text-mask.js";

/** A line without its secrets that may be passed on. `about` is whatever was pushed with it. */
export interface FreeLine<T> {
  text: string;
  about: T;
}

/**
 * Passes on the lines of a run without their secrets, in order within each stream. A line with a piece of a longer text waits
 * as long as that piece may end in the beginning of a secret: until the next piece decides it, or the text ends. All lines of
 * standard output behind it wait too, but never more than a few. Lines of standard error never wait and never cut a text,
 * because it is chance which pieces they come between.
 */
export interface LineGate<T> {
  push(stream: LineRecord["stream"], line: string, about: T, isCut?: boolean): FreeLine<T>[];
  /** The stream has ended, so all its texts are complete. */
  end(stream: LineRecord["stream"]): FreeLine<T>[];
  /** Passes on all lines now. Whatever could be a secret in them is masked. The texts go on. */
  release(): FreeLine<T>[];
}

const mostLines = 64;
const mostCharacters = 4 * 1024 * 1024;

const nothingStreamed: StreamedText = { pieces: [] };

export function createLineGate<T>(redactor: Redactor, streamed: StreamedText = nothingStreamed): LineGate<T> {
  const plain = {
    stdout: createPlainLines(redactor),
    stderr: createPlainLines(redactor),
    received: createPlainLines(redactor),
  };
  const texts = createOpenTexts(redactor);
  let queue: { line: MaskedLine; length: number; about: T }[] = [];
  let waiting = 0;

  function maskRecord(line: string, record: JsonObject): MaskedLine {
    const pieces = piecesOf(record, streamed);
    if (streamed.ends === undefined) {
      texts.end((key) => !pieces.some((piece) => isBeginning(piece.key, key)));
    }
    const isCut = pieces.length > 0 || isGrowing(record, streamed);
    const masked = maskJsonLine(line, { redactor, pieces, push: texts.push, isCut });
    for (const ended of endsOf(record, streamed)) texts.end((key) => isBeginning(ended, key));
    if (pieces.length === 0 && !isBetween(record, streamed)) texts.cut();
    return masked;
  }

  function maskLine(stream: LineRecord["stream"], line: string, isCut: boolean): MaskedLine {
    const kind = stream === "received" ? (serverLine.exec(line)?.[0] ?? "") : "";
    return withPrefix(kind, maskContent(stream, line.slice(kind.length), isCut));
  }

  function maskContent(stream: LineRecord["stream"], line: string, isCut: boolean): MaskedLine {
    const value = isCut ? undefined : parse(line);
    if (stream !== "stderr") {
      if (isRecord(value)) return maskRecord(line, value);
      texts.cut();
    }
    if (value !== undefined) {
      return maskJsonLine(line, { redactor, pieces: [], push: texts.push, isCut: false });
    }
    const text = plain[stream === "stored" ? "stdout" : stream](line, isCut);
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
      texts.cut();
      return [...free, ...take()];
    },
    end(stream) {
      if (stream !== "stderr") {
        texts.cut();
        texts.end(() => true);
      }
      return take();
    },
    release() {
      texts.cut();
      return take();
    },
  };
}

/** A line of an agent that is a server: JSON behind the kind of the line. */
const serverLine = /^(?:SSE|HTTP \d{1,3}) (?=[{[])/;

function withPrefix(prefix: string, line: MaskedLine): MaskedLine {
  if (prefix === "") return line;
  return {
    get isDone() {
      return line.isDone;
    },
    text: () => `${prefix}${line.text()}`,
  };
}

/** The texts that are not complete yet, each with a mask of its own. */
interface OpenTexts {
  push(piece: TextPiece): MaskedPiece;
  /** Completes the texts with these keys. */
  end(isEnded: (key: readonly string[]) => boolean): void;
  /** Releases what all texts still hold back. */
  cut(): void;
}

function createOpenTexts(redactor: Redactor): OpenTexts {
  const texts = new Map<string, { key: readonly string[]; mask: TextMask }>();
  return {
    push(piece) {
      const name = JSON.stringify(piece.key);
      const known = texts.get(name);
      const mask = known?.mask ?? createTextMask(redactor.scanner);
      if (known === undefined) texts.set(name, { key: piece.key, mask });
      return mask.push(piece.text);
    },
    end(isEnded) {
      for (const [name, { key, mask }] of texts) {
        if (!isEnded(key)) continue;
        mask.end();
        texts.delete(name);
      }
    },
    cut() {
      for (const { mask } of texts.values()) mask.cut();
    },
  };
}

function isBeginning(beginning: readonly string[], key: readonly string[]): boolean {
  return beginning.every((part, index) => part === key[index]);
}

/** The value of a line that is a JSON object or list. Undefined for everything else. */
function parse(line: string): unknown {
  const first = /^\s*([[{])/.exec(line.slice(0, 64));
  if (first === null) return undefined;
  return parseOwnJson(line);
}

function isRecord(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
