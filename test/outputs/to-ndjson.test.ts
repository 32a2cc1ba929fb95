import { describe, expect, it } from "vitest";
import { toJson, toNdjson } from "../../src/text/to-json.js";

function nested(depth: number): unknown {
  return JSON.parse(`${"[".repeat(depth)}1${"]".repeat(depth)}`);
}

describe("newline-delimited JSON", () => {
  it("is one line per item, and nothing for no items", () => {
    expect(toNdjson([])).toBe("");
    expect(toNdjson([{ a: 1 }, "x\ny"])).toBe('{"a":1}\n"x\\ny"\n');
  });

  it("writes what is nested deeper than JSON.stringify can follow, and says what it left out", () => {
    expect(() => JSON.stringify(nested(100_000))).toThrow(RangeError);
    const text = toJson({ type: "unknown", raw: nested(100_000) });
    expect(text).toContain("nested too deeply");
    expect(JSON.parse(text)).toMatchObject({ type: "unknown" });
    expect(toJson(nested(400))).toBe(JSON.stringify(nested(400)));
  });
});
