import { isAscii, isUtf8 } from "node:buffer";
import { createPendingLine } from "./pending-line.js";

/** Set only for lines that are unusual in one of these ways. */
export interface LineExtra {
  /** The original bytes, if they are not valid UTF-8. */
  bytes?: Buffer;
  /** The number of bytes beyond the cap, which were read and not kept. */
  droppedBytes?: number;
  /** `false` on a last line without a line feed. */
  newline?: false;
}

export interface LineSplitterOptions {
  /** Called once per line, in order, before `push` returns. `text` excludes the line feed. */
  onLine(text: string, extra?: LineExtra): void;
  /**
   * Called before the lines of these bytes are emitted, one after the other: whole lines, each with its line feed, none of them
   * cut off. Nothing else is emitted before `push` returns. Valid until then.
   */
  onWholeLines?(bytes: Buffer): void;
  /** Longer lines are cut off here. Default 64 MiB. */
  maxLineBytes?: number;
}

export interface LineSplitter {
  push(chunk: Buffer): void;
  /** Emits the last line, if it had no line feed. */
  end(): void;
}

export const defaultMaxLineBytes = 64 * 1024 * 1024;

const lineFeed = 10;

/** The number of bytes to decode at once. V8 keeps strings of this size in its young generation, which is cheap to collect. */
const partBytes = 64 * 1024;

/**
 * Splits bytes into lines, independently of the chunk boundaries. Only LF ends a line: U+2028 does not, and a CR stays on
 * its line. Many lines are decoded at once and cut out of one string. Only a line that spans two chunks is copied, and
 * only lines with non-ASCII characters are decoded one by one.
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
    if (start <= last) {
      if (last - start <= cap) options.onWholeLines?.(chunk.subarray(start, last + 1));
      splitRegion(chunk.subarray(start, last));
    }
    if (last + 1 < chunk.length) pending.add(chunk.subarray(last + 1));
  }

  /** `region` holds whole lines without the last line feed; an empty region is one empty line. */
  function splitRegion(region: Buffer): void {
    if (region.length > cap) return splitBytes(region, cap, onLine);
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
    if (isAscii(part)) splitText(part.toString("latin1"), onLine);
    else splitMixed(part, onLine);
  }

  /** Releases the bytes before the line is emitted, so that a long line is in memory once, not twice. */
  function flushPending(newline?: false): void {
    const line = toLine(pending.head(), pending.droppedBytes, newline);
    pending.clear();
    emit(line, onLine);
  }

  return {
    push,
    end() {
      if (!pending.isEmpty) flushPending(false);
    },
  };
}

type OnLine = LineSplitterOptions["onLine"];

function splitText(text: string, onLine: OnLine): void {
  let start = 0;
  for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
    onLine(text.slice(start, end));
    start = end + 1;
  }
  onLine(start === 0 ? text : text.slice(start));
}

/**
 * Most lines of most streams are ASCII. Decoded together with a line that is not, they would become two-byte strings,
 * which are slow to decode and to parse. In Latin-1 one character is one byte, so the line ends can be found in the text
 * and only the other lines are decoded from their bytes.
 */
function splitMixed(part: Buffer, onLine: OnLine): void {
  const text = part.toString("latin1");
  const isPlain = createPlainTest(part);
  let start = 0;
  while (start <= text.length) {
    const found = text.indexOf("\n", start);
    const end = found === -1 ? text.length : found;
    if (isPlain(start, end)) onLine(text.slice(start, end));
    else emit(toLine(part.subarray(start, end), 0), onLine);
    start = end + 1;
  }
}

/** For a region that may contain a line beyond the cap. */
function splitBytes(region: Buffer, cap: number, onLine: OnLine): void {
  let start = 0;
  while (start <= region.length) {
    const found = region.indexOf(lineFeed, start);
    const end = found === -1 ? region.length : found;
    const head = region.subarray(start, Math.min(end, start + cap));
    emit(toLine(head, Math.max(0, end - start - cap)), onLine);
    start = end + 1;
  }
}

function emit({ text, extra }: Line, onLine: OnLine): void {
  if (extra === undefined) onLine(text);
  else onLine(text, extra);
}

const lookAheadBytes = 2048;

/** Returns a test whether a line is ASCII, for consecutive lines. Testing many lines at once takes as long as testing one. */
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

/** The text, or undefined if the bytes are not valid UTF-8. */
function decode(bytes: Buffer): string | undefined {
  if (isAscii(bytes)) return bytes.toString("latin1");
  return isUtf8(bytes) ? bytes.toString("utf8") : undefined;
}

/** If the cap cuts a character in two, its first bytes are dropped as well. */
function withoutCutCharacter(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return needed > back ? bytes.subarray(0, bytes.length - back) : bytes;
  }
  return bytes;
}
