import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toCsv } from "../../src/cli/stats/csv.js";
import { totalRuns } from "../../src/story/run-totals.js";

describe("the table of stats as CSV", () => {
  it("has one record per group, and no name that a spreadsheet would execute", () => {
    const name = fc.array(
      fc.oneof(
        fc.constantFrom("=", "+", "-", "@", "\t", "\r", "\n", '"', ",", " ", "\u200b", "\u001b[1m"),
        fc.string({ maxLength: 3 }),
      ),
    );
    fc.assert(
      fc.property(name, (pieces) => {
        const text = toCsv("directory", [{ key: pieces.join(""), ...totalRuns([]) }]);
        const row = text.slice(text.indexOf("\r\n") + 2);
        const quoted = /^"((?:[^"]|"")*)",/.exec(row)?.[1]?.replaceAll('""', '"');
        const first = quoted ?? /^([^",\r\n]*),/.exec(row)?.[1];
        expect(first).toBeTypeOf("string");
        expect(first).not.toMatch(/^\s*[=+\-@]/);
      }),
    );
  });
});
