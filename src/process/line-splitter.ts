import { isAscii, isUtf8 } from "node:buffer";
import { createPendingLine } from "./pending-line.js";

/** What is special about a line. Left out for an ordinary one. */
export interface LineExtra {
  /** The line as it was, when it is not valid UTF-8. */
  bytes?: Buffer;
  /** How many bytes beyond the cap were read and not kept. */
  droppedBytes?: number;
  /** `false` on a last line that had no line feed. */
  newline?: false;
}

export interface LineSplitterOptions {
  /** Called once per line, in order, before `push` returns. `text` is without the line feed. */
  onLine(text: string, extra?: LineExtra): void;
  /** Longer lines keep their head only. Default 64 MiB. */
  maxLineBytes?: number;
}

export interface LineSplitter {
  push(chunk: Buffer): void;
  /** No more bytes: gives the last line if it had no line feed. */
  end(): void;
}

export const defaultMaxLineBytes = 64 * 1024 * 1024;

const lineFeed = 10;

/** So many bytes are decoded at once: a string that V8 keeps with the young ones, where memory is used again and again. */
const partBytes = 64 * 1024;

/**
 * Splits bytes into lines at LF and nowhere else (never at U+2028; a CR stays on its line), however
 * they are chunked. Many lines are decoded at once and cut out of one string; bytes are only copied for
 * the line that straddles two chunks, and decoded on their own for lines beyond ASCII.
 */
export function createLineSplitter(options: LineSplitterOptions): LineSplitter {
  const { onLine } = options;
  const cap = options.maxLineBytes ?? defaultMaxLineBytes;
  const pending = createPendingLine(cap);

  function push(chunk: Buffer): void {
    const last = chunk.lastIndexOf(lineFeed);
    if (last === -1) {
      pending.add(chunk);
      return;
    }
    let start = 0;
    if (!pending.isEmpty) {
      const first = chunk.indexOf(lineFeed);
      pending.add(chunk.subarray(0, first));
      flushPending();
      start = first + 1;
    }
    if (start <= last) splitRegion(chunk.subarray(start, last));
    if (last + 1 < chunk.length) pending.add(chunk.subarray(last + 1));
  }

  /** Lines without the last line feed. Empty for one empty line. */
  function splitRegion(region: Buffer): void {
    if (region.length > cap) return splitBytes(region);
    let start = 0;
    while (region.length - start > 2 * partBytes) {
      const end = region.lastIndexOf(lineFeed, start + partBytes);
      if (end < start) break;
      splitPart(region.subarray(start, end));
      start = end + 1;
    }
    splitPart(region.subarray(start));
  }

  function splitPart(part: Buffer): void {
    if (isAscii(part)) splitText(part.toString("latin1"));
    else splitMixed(part);
  }

  function splitText(text: string): void {
    let start = 0;
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
      onLine(text.slice(start, end));
      start = end + 1;
    }
    onLine(start === 0 ? text : text.slice(start));
  }

  /**
   * Most lines of most streams are plain ASCII, and one that is not would make text of twice the size out of all
   * its neighbours, slow to decode and slow to parse. As Latin-1 a character is a byte, so that the ends of lines
   * are found in the text and the others decoded from their bytes.
   */
  function splitMixed(part: Buffer): void {
    const text = part.toString("latin1");
    const isPlain = createPlainTest(part);
    let start = 0;
    while (start <= text.length) {
      const found = text.indexOf("\n", start);
      const end = found === -1 ? text.length : found;
      if (isPlain(start, end)) onLine(text.slice(start, end));
      else give(toLine(part.subarray(start, end), 0));
      start = end + 1;
    }
  }

  function splitBytes(region: Buffer): void {
    let start = 0;
    while (start <= region.length) {
      const found = region.indexOf(lineFeed, start);
      const end = found === -1 ? region.length : found;
      give(toLine(region.subarray(start, Math.min(end, start + cap)), Math.max(0, end - start - cap)));
      start = end + 1;
    }
  }

  /** The bytes are let go before the line is handed over: a long one is then held once, not twice. */
  function flushPending(newline?: false): void {
    const line = toLine(pending.head(), pending.droppedBytes, newline);
    pending.clear();
    give(line);
  }

  function give({ text, extra }: Line): void {
    if (extra === undefined) onLine(text);
    else onLine(text, extra);
  }

  return {
    push,
    end() {
      if (!pending.isEmpty) flushPending(false);
    },
  };
}

const lookAheadBytes = 2048;

/** Tells of one line after the other whether it is ASCII. To look at many at once takes as long as to look at one. */
function createPlainTest(part: Buffer): (start: number, end: number) => boolean {
  let plainUntil = 0;
  return (start, end) => {
    if (end <= plainUntil) return true;
    const ahead = Math.max(end, Math.min(start + lookAheadBytes, part.length));
    if (!isAscii(part.subarray(start, ahead))) return isAscii(part.subarray(start, end));
    plainUntil = ahead;
    return true;
  };
}

interface Line {
  text: string;
  extra?: LineExtra;
}

function toLine(head: Buffer, droppedBytes: number, newline?: false): Line {
  const whole = droppedBytes > 0 ? withoutCutCharacter(head) : head;
  const dropped = droppedBytes + head.length - whole.length;
  const text = decode(whole);
  if (text !== undefined && dropped === 0 && newline === undefined) return { text };
  const extra: LineExtra = {
    ...(text === undefined && { bytes: Buffer.from(whole) }),
    ...(dropped > 0 && { droppedBytes: dropped }),
    ...(newline === false && { newline }),
  };
  return { text: text ?? whole.toString("utf8"), extra };
}

/** The text, or undefined when the bytes are not valid UTF-8. */
function decode(bytes: Buffer): string | undefined {
  if (isAscii(bytes)) return bytes.toString("latin1");
  return isUtf8(bytes) ? bytes.toString("utf8") : undefined;
}

/** A cap may cut a character in two: its first bytes are dropped with the rest. */
function withoutCutCharacter(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return needed > back ? bytes.subarray(0, bytes.length - back) : bytes;
  }
  return bytes;
}
