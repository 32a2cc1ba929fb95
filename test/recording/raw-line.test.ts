import fc from "fast-check";
import { expect, it } from "vitest";
import { toRawLine } from "../../src/recording/raw-line.js";
import type { RawRecord } from "../../src/vocabulary/raw-record.js";

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

it("is what JSON would make of the records, whatever they hold", () => {
  fc.assert(
    fc.property(fc.array(records), (all) => {
      for (const record of all) expect(toRawLine(record)).toBe(`${JSON.stringify(record)}\n`);
    }),
  );
});
