import { describe, expect, it } from "vitest";
import { toMarkdown } from "../../src/outputs/markdown/transcript.js";
import { describeOperation } from "../../src/story/describe-operation.js";
import { cleanText, stripEscapes } from "../../src/text/clean-text.js";
import { cutEndOf, toOneLine, toVisibleLine } from "../../src/text/cut.js";
import { jsonPieces, ndjsonPieces } from "../../src/text/json-pieces.js";
import { toNdjson } from "../../src/text/to-json.js";

const common = { timestamp: "2026-01-01T00:00:00.000Z", runId: "r", seq: 0 };

/** One of each kind: control, line separator, zero width, direction, blank letter, tag, rare. */
const unsafe = ["\u009b", "\u2028", "\u200b", "\ufeff", "\u00ad", "\u202e", "\u2066", "\u3164", "\u{e0041}"];

describe.each(unsafe)("U+%#", (character) => {
  const code = (character.codePointAt(0) ?? 0).toString(16);

  it(`${code} is in no line for people`, () => {
    expect(cleanText(`a${character}b`)).not.toContain(character);
    expect(toOneLine(`a${character}b`)).not.toContain(character);
    expect(toVisibleLine(`a${character}b`, 80)).not.toContain(character);
    const event = { ...common, type: "command", command: `a${character}b` } as const;
    expect(describeOperation(event, undefined)).not.toContain(character);
  });

  it(`${code} is an escape in lines of JSON, which mean the same`, () => {
    const items = [{ [`k${character}`]: `a${character}b` }];
    expect(toNdjson(items)).not.toContain(character);
    expect(JSON.parse(toNdjson(items))).toEqual(items[0]);
    expect([...ndjsonPieces(items)].join("")).toBe(toNdjson(items));
  });

  it(`${code} is not in the title of a proposed edit in Markdown`, () => {
    const edit = { filePath: "a", range: { start: 0, end: 0 }, replacement: "", title: `<b>${character}` };
    const text = toMarkdown({
      meta: { runId: "r", agent: "claude", cwd: "/", prompt: "p", startedAt: common.timestamp },
      outcome: "completed",
      events: [{ ...common, type: "edits", edits: [edit] }],
    });
    expect(text).toContain("Proposed 1 edit");
    expect(text).not.toContain(character);
    expect(text).toContain("\\<b\\>");
  });
});

describe("what is meant stays", () => {
  it("joiners of emoji, in JSON too", () => {
    expect(toNdjson(["👩‍💻 ⚠️"])).toBe('"👩‍💻 ⚠️"\n');
    expect(cleanText("👩‍💻 ⚠️")).toBe("👩‍💻 ⚠️");
  });

  it("everything but escapes and controls, in an event", () => {
    expect(stripEscapes("\u001b[31mא\u200fב\u001b[0m\u0007")).toBe("א\u200fב");
  });
});

describe("cutting", () => {
  it("never splits a surrogate pair", () => {
    expect(cutEndOf("a😀b", 2)).toBe("a…");
    expect(cutEndOf("a😀b", 4)).toBe("a😀b");
    expect(toVisibleLine("😀".repeat(10), 4)).toBe("😀😀😀…");
    expect(toOneLine(`${"\u001b[1m".repeat(1023)}xyz${"😀".repeat(9)}`)).toBe("xyz");
  });
});

it("a long text behind many others is written in one piece, and is the same text", () => {
  const value = [Array.from({ length: 30_000 }, (_none, i) => i), "x".repeat(300_000)];
  expect([...jsonPieces(value)].join("")).toBe(JSON.stringify(value));
});
