import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createFramedTranslator } from "../../src/agents/frame/frame.js";
import { agents } from "../../src/agents/registry.js";
import { formatEvents } from "../../src/outputs/format-events.js";
import { formatNames } from "../../src/outputs/formats.js";
import { ExactNumber } from "../../src/text/exact-number.js";
import { jsonPieces } from "../../src/text/json-pieces.js";
import { isLossy, parseExact } from "../../src/text/parse-exact.js";
import { toJson, toNdjson } from "../../src/text/to-json.js";
import { captureNames, readCapture, recordsOf } from "../support/captures.js";

const lossy = [
  "12345678901234567890",
  "-9007199254740993",
  "1e999",
  "-1E+400",
  "1e-999",
  "0.12345678901234567890",
];
const exact = [
  "0",
  "-0",
  "1",
  "1.0",
  "1e3",
  "1E-7",
  "9007199254740991",
  "9007199254740992",
  "0.1",
  "0.30000000000000004",
];

describe("a number that would change", () => {
  it.each(lossy)("%s keeps its spelling", (spelling) => {
    const text = `{"a":[${spelling},1],"b":{"c":${spelling}}}`;
    const value = parseExact(text);
    expect(toJson(value)).toBe(text);
    expect([...jsonPieces(value)].join("")).toBe(text);
    expect(isLossy(spelling)).toBe(true);
  });

  it("keeps its spelling wherever it is in a text", () => {
    for (const spelling of ["9007199254740993", "1e999"])
      for (let before = 0; before < 40; before++) {
        const text = `{"a":"${"x".repeat(before)}","b":${spelling}}`;
        expect(toJson(parseExact(text))).toBe(text);
      }
  });

  it.each(exact)("%s is a number as ever", (spelling) => {
    const text = `[${spelling}]`;
    expect(isLossy(spelling)).toBe(false);
    expect(parseExact(text)).toEqual(JSON.parse(text));
  });

  it("can be computed with, and is the nearest number for whoever does", () => {
    const value = new ExactNumber("12345678901234567890");
    expect(Number(value)).toBe(12345678901234567000);
    expect(`${value}`).toBe("12345678901234567890");
    expect(value).toBeInstanceOf(Number);
  });

  it("is one only outside of strings, and no string can pass for one", () => {
    const line = '{"text":"say \\"n\\": 12345678901234567890 \\\\","n":[ 12345678901234567890 ]}';
    expect(toJson(parseExact(line))).toBe(
      line.replaceAll(": 1", ": 1").replace("[ ", "[").replace(" ]", "]"),
    );
    const marks = '{"text":"exact 1-2-3-4 5","n":1e999}';
    expect(toJson(parseExact(marks))).toBe(marks);
  });

  it("does not turn into JSON what is none", () => {
    for (const text of ["[01234567890123456789]", "[1e]", "[12345678901234567890", "[-]", '{"a":1e999,}'])
      expect(() => parseExact(text)).toThrow(SyntaxError);
  });

  it("changes nothing else of any JSON, however it is written", () => {
    const number = fc.oneof(
      fc.constantFrom(...lossy, ...exact),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
    );
    const tree = fc.letrec<{ value: string }>((tie) => ({
      value: fc.oneof(
        { depthSize: "small" },
        number,
        fc.string({ unit: "binary" }).map((text) => JSON.stringify(text)),
        fc.constantFrom("true", "null", '"\\\\"', '"\\""', '"1e999"', '": 1e999,"'),
        fc.array(tie("value")).map((items) => `[${items.join(",")}]`),
        fc
          .array(fc.tuple(fc.string(), tie("value")))
          .map((items) => `{${items.map(([key, item]) => `${JSON.stringify(key)}:${item}`).join(",")}}`),
      ),
    })).value;
    fc.assert(
      fc.property(tree, (json) => {
        const text = `[${json}]`;
        const again = toJson(parseExact(text));
        // Compared as ordinary JSON: the nearest numbers are the same.
        expect(JSON.parse(again)).toEqual(JSON.parse(text, withoutSignOfZero));
        expect(toJson(parseExact(again))).toBe(again);
      }),
    );
  });
});

/** `JSON.stringify` writes 0 for -0. */
function withoutSignOfZero(_key: string, value: unknown): unknown {
  return value === 0 ? 0 : value;
}

/** Numbers in what tools are given, and in what they give. */
const places =
  /"(input|args|arguments|parameters|tool_input|toolInput|rawInput|tool_use_result|result|output|metadata)":\{(?=")/g;

describe("numbers pass through every agent's translator as they are spelled", () => {
  const captured = agents.flatMap(({ id }) => (hasCaptures(id) ? [id] : []));

  it.each(captured)("%s", (id) => {
    let found = 0;
    for (const scenario of captureNames(id)) {
      const records = recordsOf(readCapture(id, scenario));
      for (const format of formatNames) {
        const count = (numbers: string, wanted: RegExp): number =>
          (textOf(id, format, records, numbers).match(wanted) ?? []).length;
        // Quotation marks may be escaped: some formats have JSON inside of JSON.
        const ordinary = count("1234567,7654321", /1234567,\\*"huge\\*":7654321/g);
        expect(
          count("12345678901234567890,1e999", /12345678901234567890,\\*"huge\\*":1e999/g),
          `${scenario} ${format}`,
        ).toBe(ordinary);
        found += ordinary;
      }
    }
    // Kimi's records have numbers only inside of JSON text.
    if (id !== "generic" && id !== "kimi") expect(found).toBeGreaterThan(0);
  });

  it.each(agents)("$id: what is not understood", (agent) => {
    const translator = createFramedTranslator(agent);
    const line = '{"nobodys":{"n":12345678901234567890,"m":[1e999]}}';
    const text = toNdjson(translator.line(line, "2026-01-01T00:00:00.000Z"));
    expect(text).toContain("12345678901234567890");
    expect(text).toContain("1e999");
  });
});

function hasCaptures(id: string): boolean {
  try {
    return captureNames(id).length > 0;
  } catch {
    return false;
  }
}

function textOf(
  id: string,
  format: (typeof formatNames)[number],
  records: ReturnType<typeof recordsOf>,
  numbers: string,
): string {
  const agent = agents.find((each) => each.id === id);
  if (agent === undefined) throw new Error(`there is no agent ${id}`);
  const [big, huge] = numbers.split(",");
  const translator = createFramedTranslator(agent, { runId: "run", cwd: "/workspace" });
  const events = translator.start("2026-01-01T00:00:00.000Z");
  for (const record of records) {
    const line = record.stream === "stdout" ? record.line : undefined;
    const changed = line?.replace(places, (all) => `${all}"big":${big},"huge":${huge},`);
    events.push(
      ...(changed === undefined ? translator.record(record) : translator.line(changed, record.timestamp)),
    );
  }
  return toNdjson([...formatEvents(format, events)]);
}
