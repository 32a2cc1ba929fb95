import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toRawLine } from "../../src/events/raw-jsonl.js";
import type { RawRecord } from "../../src/events/raw-record.js";
import { createAppendFile } from "../../src/runs/files/append-file.js";
import { temporaryDirectory } from "../runs/test-agent.js";

const timestamp = "2026-01-01T00:00:00.000Z";
const anyText = fc.string({ unit: "binary" });
const records: fc.Arbitrary<RawRecord> = fc.oneof(
  fc.record(
    {
      timestamp: fc.constant(timestamp),
      stream: fc.constantFrom("stdout" as const, "stderr" as const),
      line: anyText,
      newline: fc.constant(false as const),
      droppedBytes: fc.integer({ min: 1 }),
    },
    { requiredKeys: ["timestamp", "stream", "line"] },
  ),
  fc.record({ timestamp: fc.constant(timestamp), stream: fc.constant("stdout" as const), bytes: anyText }),
  fc.record({
    timestamp: fc.constant(timestamp),
    stream: fc.constant("harness" as const),
    code: fc.constant("silent"),
    message: anyText,
  }),
);

function written(file: string, all: readonly RawRecord[]): string {
  const raw = createAppendFile(file);
  raw.append((writer) => {
    for (const record of all) writer.text(toRawLine(record));
  });
  raw.close();
  return readFileSync(file, "utf8");
}

const asJson = (all: readonly RawRecord[]) => all.map((record) => `${JSON.stringify(record)}\n`).join("");

describe("the lines of raw.jsonl", () => {
  it("are what JSON would make of the records, whatever they hold", () => {
    const file = join(temporaryDirectory(), "raw.jsonl");
    fc.assert(
      fc.property(fc.array(records), (all) => {
        expect(written(file, all)).toBe(asJson(all));
      }),
    );
  });

  it("are so for lines of any length, one after the other", () => {
    const pieces = ['{"a":"\\n"}', "é€😀", "x", "\u2028", "\u0007", "\ud800"];
    const lengths = fc.integer({ min: 0, max: 150_000 });
    const lines = fc.array(fc.tuple(fc.constantFrom(...pieces), lengths), { maxLength: 5 });
    const file = join(temporaryDirectory(), "raw.jsonl");
    fc.assert(
      fc.property(lines, (drawn) => {
        const all = drawn.map(([piece, length]): RawRecord => {
          const line = piece.repeat(Math.ceil(length / piece.length));
          return { timestamp, stream: "stdout", line };
        });
        expect(written(file, all) === asJson(all)).toBe(true);
      }),
    );
  });
});
