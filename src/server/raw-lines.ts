import type { FileHandle } from "node:fs/promises";
import { parseRawRecord, textOfRecord } from "../events/raw-jsonl.js";
import { openRegularFile } from "../runs/files/regular-file.js";
import type { RawLine, RawLines } from "./protocol.js";

const scanBytes = 1024 * 1024;
/** Only the beginning of longer records is read. */
const longestRecord = 32 * 1024;
const longestShown = 4_000;
const keptIndexes = 8;
const lineFeed = 10;

/** Where each line of a file begins. The last number is where the next line would begin. */
interface LineIndex {
  offsets: number[];
  scanned: number;
  /** The scan under way: there is one at a time. */
  scanning: Promise<void>;
}

export interface RawReader {
  /** Reads lines by number, from 1. */
  read(path: string, from: number, count: number): Promise<RawLines>;
  /** The full text of one line. Undefined when there is no such line. */
  readWhole(path: string, line: number): Promise<string | undefined>;
  /** The first line from this number on that has a text, in any case of letters. */
  search(path: string, text: string, from: number, signal: AbortSignal): Promise<number | undefined>;
}

/** Reads any lines of recordings of any size. Bytes that are indexed are not scanned again. */
export function createRawReader(): RawReader {
  const indexes = new Map<string, LineIndex>();

  async function indexOf(path: string, file: FileHandle): Promise<LineIndex> {
    const { size } = await file.stat();
    const known = indexes.get(path);
    const index =
      known !== undefined && known.scanned <= size
        ? known
        : { offsets: [0], scanned: 0, scanning: Promise.resolve() };
    indexes.delete(path);
    indexes.set(path, index);
    for (const oldest of [...indexes.keys()].slice(0, -keptIndexes)) indexes.delete(oldest);
    index.scanning = index.scanning.catch(() => undefined).then(() => scan(file, size, index));
    await index.scanning;
    return index;
  }

  return {
    read: (path, from, count) =>
      withFile(path, async (file) => {
        const { offsets } = await indexOf(path, file);
        const total = offsets.length - 1;
        const lines: RawLine[] = [];
        for (let line = Math.max(1, from); line <= Math.min(total, from + count - 1); line += 1)
          lines.push(await readLine(file, offsets, line));
        return { total, lines };
      }),
    readWhole: (path, line) =>
      withFile(path, async (file) => {
        const { offsets } = await indexOf(path, file);
        const start = offsets[line - 1];
        const end = offsets[line];
        if (start === undefined || end === undefined) return undefined;
        const text = (await readBytes(file, start, end - start)).toString("utf8").trimEnd();
        const record = parseRawRecord(text);
        return record === undefined ? text : textOfRecord(record);
      }),
    search: (path, text, from, signal) =>
      withFile(path, async (file) => {
        const { offsets } = await indexOf(path, file);
        const wanted = text.toLowerCase();
        for (let line = Math.max(1, from); line < offsets.length && !signal.aborted; ) {
          const end = lastLineWithin(offsets, line, scanBytes);
          const start = offsets[line - 1] ?? 0;
          const bytes = await readBytes(file, start, (offsets[end] ?? start) - start);
          const found = findLine(bytes.toString("utf8").split("\n"), wanted);
          if (found !== -1) return line + found;
          line = end + 1;
        }
        return undefined;
      }),
  };
}

/** The last of the lines from this one on that fit into so many bytes, but at least this one. */
function lastLineWithin(offsets: readonly number[], line: number, bytes: number): number {
  const start = offsets[line - 1] ?? 0;
  let last = line;
  while (last + 1 < offsets.length && (offsets[last + 1] ?? 0) - start <= bytes) last += 1;
  return last;
}

/** Whoever searches sees the text of a record, not its JSON. */
function findLine(lines: readonly string[], wanted: string): number {
  return lines.findIndex((line) => {
    const record = parseRawRecord(line);
    return (record === undefined ? line : textOfRecord(record)).toLowerCase().includes(wanted);
  });
}

async function withFile<T>(path: string, use: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await openRegularFile(path);
  try {
    return await use(file);
  } finally {
    await file.close();
  }
}

async function scan(file: FileHandle, size: number, index: LineIndex): Promise<void> {
  while (index.scanned < size) {
    const chunk = await readBytes(file, index.scanned, Math.min(scanBytes, size - index.scanned));
    if (chunk.length === 0) return;
    for (let at = chunk.indexOf(lineFeed); at !== -1; at = chunk.indexOf(lineFeed, at + 1))
      index.offsets.push(index.scanned + at + 1);
    index.scanned += chunk.length;
  }
}

async function readBytes(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  const { bytesRead } = await file.read(buffer, 0, length, position);
  return buffer.subarray(0, bytesRead);
}

async function readLine(file: FileHandle, offsets: readonly number[], line: number): Promise<RawLine> {
  const start = offsets[line - 1] ?? 0;
  const size = (offsets[line] ?? start) - start;
  const text = (await readBytes(file, start, Math.min(size, longestRecord))).toString("utf8");
  const record = size > longestRecord ? undefined : parseRawRecord(text);
  if (record === undefined) return { line, size, ...beginningOf(text, size) };
  const shown = textOfRecord(record);
  return {
    line,
    stream: record.stream,
    timestamp: record.timestamp,
    text: shown.slice(0, longestShown),
    size,
    isCut: shown.length > longestShown,
    ...("bytes" in record && { isBinary: true }),
  };
}

/** The streams whose records can be too long to be parsed. */
const longStreams = ["stdout", "stderr", "received", "stored", "sent"] as const;
const opening = /^\{"timestamp":"([^"]{1,40})","stream":"(stdout|stderr|received|stored|sent)","line":"/;

/** The start of a record that is damaged, or too long to be parsed for display. */
function beginningOf(text: string, size: number): Pick<RawLine, "stream" | "timestamp" | "text" | "isCut"> {
  const match = opening.exec(text);
  const rest = text.slice(match?.[0].length ?? 0, longestShown);
  const isCut = size > longestRecord || text.length > longestShown;
  const stream = longStreams.find((name) => name === match?.[2]);
  if (match?.[1] === undefined || stream === undefined) return { stream: "damaged", text: rest, isCut };
  return { stream, timestamp: match[1], text: unescapeJson(rest), isCut };
}

/** Decodes the beginning of a JSON string. An escape that was cut in the middle is dropped. */
function unescapeJson(text: string): string {
  try {
    return JSON.parse(`"${text.replace(/\\(?:u[0-9a-fA-F]{0,3})?$/, "")}"`);
  } catch {
    return text;
  }
}
