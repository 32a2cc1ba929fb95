import fc from "fast-check";
import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { cutEnd, cutMiddle } from "../../../src/outputs/text/cut.js";
import { lengthThatFits, widthOf } from "../../../src/outputs/text/width.js";
import { createWrapper, wrapText } from "../../../src/outputs/text/wrap.js";
import { cleanText } from "../../../src/text/clean-text.js";
import { hostile } from "./hostile.js";

const columns = fc.integer({ min: 6, max: 120 });
const safe = hostile.map(cleanText);

describe("the width of text", () => {
  it.each([
    ["ascii", 5],
    ["日本語", 6],
    ["한국어", 6],
    ["👩‍👩‍👧‍👦", 2],
    ["🇯🇵", 2],
    ["✅", 2],
    ["e\u0301", 1],
    ["ｱ", 1],
    ["", 0],
  ])("of %j is %i", (text, width) => {
    expect(widthOf(text)).toBe(width);
  });

  it("of text that is not looked at closely is the same as if it were", () => {
    const units = [
      "a",
      "~",
      "é",
      "·",
      "…",
      "“",
      "—",
      "↵",
      "│",
      "┊",
      "▸",
      "✓",
      "✗",
      "⠋",
      "©",
      "®",
      "↔",
      "Ʊ",
      "1",
    ];
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...units) }), (text) => {
        expect(widthOf(text)).toBe(stringWidth(text));
      }),
    );
  });

  it("is never exceeded by what fits, and one more character would exceed it", () => {
    fc.assert(
      fc.property(safe, columns, (text, width) => {
        const length = lengthThatFits(text, width);
        expect(widthOf(text.slice(0, length))).toBeLessThanOrEqual(width);
        if (length < text.length) expect(widthOf(text)).toBeGreaterThan(width);
      }),
    );
  });
});

describe("text that is cut", () => {
  it.each([
    ["a long command line", 10, "a long co…"],
    ["short", 10, "short"],
    ["日本語テキスト", 7, "日本語…"],
    ["word and word", 6, "word…"],
    ["abc", 1, "…"],
    ["abc", 0, ""],
  ])("at the end: %j in %i columns is %j", (text, width, expected) => {
    expect(cutEnd(text, width)).toBe(expected);
  });

  it.each([
    ["/repo/packages/parser/src/index.ts", 20, "/repo/…/src/index.ts"],
    ["src/app.ts:10-20", 30, "src/app.ts:10-20"],
    ["src/日本語/テキスト.ts", 14, "src/…キスト.ts"],
    ["abcdefgh", 4, "…fgh"],
  ])("in the middle: %j in %i columns is %j", (text, width, expected) => {
    expect(cutMiddle(text, width)).toBe(expected);
  });

  it("always fits, and is whole when there is room", () => {
    fc.assert(
      fc.property(safe, fc.integer({ min: 0, max: 80 }), (text, width) => {
        for (const cut of [cutEnd, cutMiddle]) {
          expect(widthOf(cut(text, width))).toBeLessThanOrEqual(width);
          if (widthOf(text) <= width && text.length < 100) expect(cut(text, width)).toBe(text);
        }
      }),
    );
  });
});

describe("text that is wrapped", () => {
  it("breaks between words, and within a word that is longer than a row", () => {
    expect(wrapText("The quick brown fox and incomprehensibilities", 12)).toEqual([
      "The quick",
      "brown fox",
      "and",
      "incomprehens",
      "ibilities",
    ]);
  });

  it("breaks between Chinese and Japanese characters, which take two columns", () => {
    expect(wrapText("日本語のテキストを折り返す", 10)).toEqual(["日本語のテ", "キストを折", "り返す"]);
    expect(wrapText("abc 日本語のテキスト", 10)).toEqual(["abc 日本語", "のテキスト"]);
  });

  it("breaks a path that is too long between its names", () => {
    expect(wrapText("/home/user/projects/app/src/index.ts", 20)).toEqual([
      "/home/user/projects/",
      "app/src/index.ts",
    ]);
  });

  it("keeps line feeds, empty rows and indentation, and puts tabs at their stops", () => {
    expect(wrapText("if x:\n\tpass\n\na\tb", 40)).toEqual(["if x:", "    pass", "", "a   b"]);
  });

  it("makes no empty row of spaces at the edge", () => {
    expect(wrapText("exactly ten   \nnext", 11)).toEqual(["exactly ten", "next"]);
  });

  it("is not broken where there is no edge", () => {
    const text = "word ".repeat(1000).trim();
    expect(wrapText(text, Number.POSITIVE_INFINITY)).toEqual([text]);
  });

  it("always fits, and loses nothing but white space", () => {
    fc.assert(
      fc.property(safe, columns, (text, width) => {
        const rows = wrapText(text, width);
        for (const row of rows) expect(widthOf(row)).toBeLessThanOrEqual(width);
        expect(rows.join("").replace(/\s/g, "")).toBe(text.replace(/\s/g, ""));
      }),
    );
  });

  it("is the same when it comes in pieces, and shows what there is in between", () => {
    const wrapper = createWrapper(12);
    const rows: string[] = [];
    for (const piece of ["The qu", "ick br", "own f", "ox\nju", "mps"]) rows.push(...wrapper.push(piece));
    expect(rows).toEqual(["The quick", "brown fox"]);
    expect(wrapper.open).toBe("jumps");
    expect(wrapper.end()).toEqual(["jumps"]);
  });

  it("goes on in the width that the terminal has now", () => {
    const wrapper = createWrapper(40);
    expect(wrapper.push("The quick brown fox jumps")).toEqual([]);
    expect(wrapper.resize(10)).toEqual(["The quick", "brown fox"]);
    expect(wrapper.open).toBe("jumps");
    expect([...wrapper.push(" over the"), ...wrapper.end()]).toEqual(["jumps over", "the"]);
  });

  it("takes a message of ten million characters on one line", () => {
    expect(wrapText("y".repeat(10_000_000), 100)).toHaveLength(100_000);
  });
});
