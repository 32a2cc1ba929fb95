import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codex } from "../../../src/agents/codex/definition.js";
import { createSteps } from "../../../src/agents/steps.js";
import { toRawLine } from "../../../src/events/raw-jsonl.js";
import { viewOf } from "../../../src/runs/files/file-writer.js";
import { createPipeReader, type Read } from "../../../src/runs/pipe-reader.js";
import { escapeBytes, longestEscape } from "../../../src/runs/recording/escape-bytes.js";
import { createRecorder } from "../../../src/runs/recording/recorder.js";
import { createBatches } from "../../../src/runs/recording/step-batch.js";
import { temporaryDirectory } from "../test-agent.js";

const timestamp = "2026-01-01T00:00:00.000Z";

/** Text and bytes that need care: escapes, control characters, line ends of others, pieces of characters, lone surrogates. */
const pieces = fc.oneof(
  fc.constantFrom(
    "\n",
    "\n\n",
    "\r\n",
    '"',
    "\\",
    '\\"',
    "\u2028",
    "\ufeff",
    "\x7f",
    "\b\t\f\v\x1b\0",
    "ä✓🙂",
  ),
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.json({ maxDepth: 2 }).map((text) => JSON.stringify(text)),
  // UTF-8 of a surrogate, which is not valid.
  fc.constant(Uint8Array.of(0xed, 0xa0, 0x80)),
  fc.uint8Array({ maxLength: 5 }),
);
const printed = fc
  .array(fc.oneof({ weight: 8, arbitrary: pieces }, { weight: 1, arbitrary: longPiece() }), { maxLength: 30 })
  .map((some) => Buffer.concat(some.map((piece) => Buffer.from(piece as string))));
const somePlaces = fc.array(fc.nat(), { maxLength: 10 });

/** Longer than the part of a line that is escaped at once, with an escape at any place. */
function longPiece(): fc.Arbitrary<string> {
  return fc
    .record({
      length: fc.integer({ min: 16_000, max: 150_000 }),
      unit: fc.constantFrom("a", '"', "\x1b", "ä"),
    })
    .map(({ length, unit }) => unit.repeat(length));
}

/** Prints to a recorder. Returns `raw.jsonl`, and what it must be. */
function record(
  chunks: readonly Buffer[],
  maxLineBytes: number | undefined,
): { raw: string; expected: string } {
  const directory = temporaryDirectory();
  const meta = { runId: "r", agent: "codex", cwd: "", prompt: "", argv: [], envNames: [], permissions: "" };
  const recorder = createRecorder({ recordTo: directory, meta: { ...meta, startedAt: timestamp } });
  expect(recorder.open()).toEqual([]);
  const toBatch = createBatches();
  const reader = createPipeReader({ stream: "stdout", steps: createSteps(codex), maxLineBytes });
  let expected = "";
  const take = ({ steps, printed }: Read): void => {
    for (const step of steps) if (step.record !== undefined) expected += toRawLine(step.record);
    expect(recorder.write(toBatch(steps), printed)).toEqual([]);
  };
  for (const chunk of chunks) take(reader.push(chunk, timestamp));
  take(reader.end(timestamp));
  recorder.close({});
  return { raw: readFileSync(join(directory, "raw.jsonl"), "utf8"), expected };
}

/** Cuts bytes at the given offsets. */
function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const sorted = places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b);
  const ends = [...sorted, bytes.length];
  return ends.map((end, index) => bytes.subarray(index === 0 ? 0 : ends[index - 1], end));
}

describe("lines that are recorded from their bytes", () => {
  it("are the records that their text gives, however they come", () => {
    const cap = fc.option(fc.integer({ min: 1, max: 200 }), { nil: undefined, freq: 3 });
    fc.assert(
      fc.property(printed, somePlaces, cap, (bytes, places, maxLineBytes) => {
        const { raw, expected } = record(cut(bytes, places), maxLineBytes);
        expect(raw === expected).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it("are not made into records again", () => {
    const reader = createPipeReader({ stream: "stdout", steps: createSteps(codex) });
    reader.push(Buffer.from("begi"), timestamp);
    const { steps, printed } = reader.push(Buffer.from("nning\none\ntwo\nrest"), timestamp);
    expect(steps).toHaveLength(3);
    expect(printed).toMatchObject({ firstStep: 1, bytes: Buffer.from("one\ntwo\n"), stream: "stdout" });
    expect(reader.end(timestamp).printed).toBeUndefined();
  });
});

describe("escaped bytes", () => {
  it("are what JSON.stringify makes of their text, at any place in memory", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.json().map((json) => JSON.stringify(json)),
    );
    fc.assert(
      fc.property(text, fc.nat(7), fc.nat(7), (text, before, targetBefore) => {
        const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)]);
        const target = Buffer.alloc(targetBefore + bytes.length * longestEscape);
        const end = escapeBytes(viewOf(bytes), before, bytes.length, viewOf(target), targetBefore);
        const expected = JSON.stringify(bytes.toString("utf8", before)).slice(1, -1);
        expect(target.toString("utf8", targetBefore, end)).toBe(expected);
      }),
      { numRuns: 1000 },
    );
  });
});
