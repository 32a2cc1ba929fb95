import { isUtf8 } from "node:buffer";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLineSplitter, type LineExtra } from "../../src/process/line-splitter.js";

interface Line extends LineExtra {
  text: string;
}

function split(chunks: readonly Buffer[], maxLineBytes?: number): Line[] {
  const lines: Line[] = [];
  const splitter = createLineSplitter({
    onLine: (text, extra) => lines.push({ text, ...extra }),
    ...(maxLineBytes !== undefined && { maxLineBytes }),
  });
  for (const chunk of chunks) splitter.push(chunk);
  splitter.end();
  return lines;
}

/** Cuts bytes at the given offsets. */
function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const sorted = places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b);
  const ends = [...sorted, bytes.length];
  return ends.map((end, index) => bytes.subarray(index === 0 ? 0 : ends[index - 1], end));
}

/** The obvious implementation, for comparison. */
function splitPlainly(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  let start = 0;
  for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
    lines.push(bytes.subarray(start, end));
    start = end + 1;
  }
  if (start < bytes.length) lines.push(bytes.subarray(start));
  return lines;
}

function bytesOf(line: Line): Buffer {
  return line.bytes ?? Buffer.from(line.text, "utf8");
}

/** Bytes with many line feeds, multi-byte characters and pieces of them. */
const someBytes = fc
  .array(
    fc.oneof(
      fc.constantFrom("\n", "\r\n", "\0", "\u2028", "ä", "✓", "🙂", "{}", ""),
      fc.string({ maxLength: 20 }),
      fc.uint8Array({ maxLength: 4 }),
    ),
    { maxLength: 60 },
  )
  .map((pieces) => Buffer.concat(pieces.map((piece) => Buffer.from(piece as string))));
const somePlaces = fc.array(fc.nat({ max: 2000 }), { maxLength: 40 });

describe("line splitter", () => {
  it("gives the same lines however the bytes are chunked", () => {
    fc.assert(
      fc.property(someBytes, somePlaces, (bytes, places) => {
        expect(split(cut(bytes, places))).toEqual(split([bytes]));
      }),
      { numRuns: 500 },
    );
  });

  it("splits at line feeds and nowhere else, and loses no byte", () => {
    fc.assert(
      fc.property(someBytes, somePlaces, (bytes, places) => {
        const lines = split(cut(bytes, places));
        expect(lines.map(bytesOf)).toEqual(splitPlainly(bytes));
        const whole = lines.map((line) =>
          Buffer.concat([bytesOf(line), Buffer.from(line.newline === false ? "" : "\n")]),
        );
        expect(Buffer.concat(whole)).toEqual(bytes);
        for (const line of lines) expect(line.bytes === undefined).toBe(isUtf8(bytesOf(line)));
      }),
      { numRuns: 500 },
    );
  });

  it("keeps the head of lines beyond the cap, counts the rest, and cuts no character in two", () => {
    fc.assert(
      fc.property(someBytes, somePlaces, fc.integer({ min: 4, max: 30 }), (bytes, places, cap) => {
        const lines = split(cut(bytes, places), cap);
        const plain = splitPlainly(bytes);
        expect(lines).toHaveLength(plain.length);
        for (const [index, line] of lines.entries()) {
          const whole = plain[index] ?? Buffer.alloc(0);
          const kept = bytesOf(line);
          expect(kept.length + (line.droppedBytes ?? 0)).toBe(whole.length);
          expect(whole.subarray(0, kept.length)).toEqual(kept);
          expect(kept.length).toBeLessThanOrEqual(cap);
          if (isUtf8(whole)) expect(line.bytes).toBeUndefined();
        }
        expect(split([bytes], cap)).toEqual(lines);
      }),
      { numRuns: 500 },
    );
  });

  it("keeps a carriage return on its line, and empty lines", () => {
    expect(split([Buffer.from("a\r\n\n\nb\r")])).toEqual([
      { text: "a\r" },
      { text: "" },
      { text: "" },
      { text: "b\r", newline: false },
    ]);
  });

  it("keeps a byte order mark, NUL and U+2028", () => {
    expect(split([Buffer.from("\ufeffa\0b\u2028c\n")])).toEqual([{ text: "\ufeffa\0b\u2028c" }]);
  });

  it("returns the bytes of a line that is not valid UTF-8, and only of that line", () => {
    const lines = split([
      Buffer.concat([Buffer.from("fine\n"), Buffer.from([0x61, 0xff, 0x0a]), Buffer.from("über\n")]),
    ]);
    expect(lines).toEqual([
      { text: "fine" },
      { text: "a\ufffd", bytes: Buffer.from([0x61, 0xff]) },
      { text: "über" },
    ]);
  });

  it("holds no more than the cap of a line that never ends", () => {
    const chunk = Buffer.alloc(64 * 1024, "x");
    const cap = 256 * 1024;
    const lines: Line[] = [];
    const splitter = createLineSplitter({
      onLine: (text, extra) => lines.push({ text, ...extra }),
      maxLineBytes: cap,
    });
    const before = process.memoryUsage().arrayBuffers;
    for (let count = 0; count < 4096; count++) splitter.push(chunk);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 * cap);
    splitter.push(Buffer.from("\nnext\n"));
    expect(lines.map(({ text, droppedBytes }) => [text.length, droppedBytes])).toEqual([
      [cap, 4096 * chunk.length - cap],
      [4, undefined],
    ]);
  });
});
