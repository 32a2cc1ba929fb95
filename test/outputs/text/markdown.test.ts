import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { plainTextOf } from "../../../src/outputs/text/line.js";
import { createMarkdownRows } from "../../../src/outputs/text/markdown/markdown-rows.js";
import { paint } from "../../../src/outputs/text/paint.js";
import { widthOf } from "../../../src/outputs/text/width.js";
import { unsafe } from "./hostile.js";
import { rowsOf, textOf } from "./support.js";

interface Look {
  columns?: number;
  hasColors?: boolean;
  /** How many characters come at a time. */
  step?: number;
}

function linesOf(source: string, { columns = 60, hasColors = true, step = source.length || 1 }: Look = {}) {
  const maker = createMarkdownRows(columns, hasColors);
  const lines = [];
  for (let at = 0; at < source.length; at += step) lines.push(...maker.push(source.slice(at, at + step)));
  return [...lines, ...maker.end()];
}

const show = (source: string, look?: Look): string[] => textOf(linesOf(source, look));

describe("Markdown on a terminal", () => {
  it.each([
    ["# Title #", ["Title"]],
    ["a **b** *c* ~~d~~ `e`", ["a b c d e"]],
    ["- a\n- b\n  - c\n    d\n* e", ["• a", "• b", "  • c", "    d", "• e"]],
    ["1. a\n   - b\n2) c", ["1. a", "   • b", "2) c"]],
    ["- a\n\n  b\n\nc", ["• a", "", "  b", "", "c"]],
    ["-", ["•"]],
    ["> a\n>> b", ["│ a", "│ │ b"]],
    ["```ts\nlet a;\n\n  b\n```\nc", ["  ts", "  let a;", "", "    b", "c"]],
    ["- a\n  ```\n  b\n  ```\n- c", ["• a", "    b", "• c"]],
    ["a\n\n    b  c", ["a", "", "    b  c"]],
    ["Files:\n  a.ts\n  b.ts", ["Files:", "  a.ts", "  b.ts"]],
    ["[a](https://b.c/d)", ["a (https://b.c/d)"]],
    ["<https://b.c/d> [https://b.c](https://b.c)", ["https://b.c/d https://b.c"]],
    ["![a](b.png)", ["a (b.png)"]],
    ["[a](javascript:b)", ["[a](javascript:b)"]],
    ["<b>a</b>", ["<b>a</b>"]],
    ["2 * 3 * 4 snake_case a_b_c", ["2 * 3 * 4 snake_case a_b_c"]],
    ["**a\nb** c", ["a", "b c"]],
    ["a | b\nc", ["a | b", "c"]],
    ["a | b", ["a | b"]],
  ])("%j", (source, rows) => {
    expect(show(source)).toEqual(rows);
  });

  it("has styles", () => {
    expect(linesOf("# a `b`").map((line) => paint(line, true))).toEqual([
      "\u001b[1ma \u001b[0m\u001b[36mb\u001b[0m",
    ]);
    expect(linesOf("**a** *b*").map((line) => paint(line, true))).toEqual([
      "\u001b[1ma\u001b[0m \u001b[3mb\u001b[0m",
    ]);
  });

  it("keeps the marks that nothing stands for without colours", () => {
    const source = "# a\n**b** _c_ ~~d~~ `e` ``f`g``\n```ts\nh\n```";
    expect(show(source, { hasColors: false })).toEqual([
      "# a",
      "**b** _c_ ~~d~~ `e` ``f`g``",
      "  ```ts",
      "  h",
      "  ```",
    ]);
  });

  const table = "| Name | Lines |\n|---|--:|\n| `a.ts` | 12 |\n| 日本語 | 3 |\n\nThat is all.";

  it("aligns tables, wide characters included", () => {
    expect(show(table)).toEqual([
      "Name    Lines",
      "──────  ─────",
      "a.ts       12",
      "日本語      3",
      "",
      "That is all.",
    ]);
  });

  it("breaks the cells of a wide table, and gives each cell a row where even that does not fit", () => {
    const wide = "| File | Why |\n|---|---|\n| src/a.ts | the loop ended one too early |\n| b | c |";
    expect(show(wide, { columns: 24 })).toEqual([
      "File      Why",
      "────────  ──────────────",
      "src/a.ts  the loop ended",
      "          one too early",
      "b         c",
    ]);
    const narrow =
      "| Name | Lines | Author | State |\n|---|---|---|---|\n| aaaaaaaaaa | bbbbbbbbbb | cccccccccc | d |\n| e | f | g | h |";
    expect(show(narrow, { columns: 24 })).toEqual([
      "Name: aaaaaaaaaa",
      "Lines: bbbbbbbbbb",
      "Author: cccccccccc",
      "State: d",
      "",
      "Name: e",
      "Lines: f",
      "Author: g",
      "State: h",
    ]);
  });

  it("shows prose while it is written, and a block with marks when they are complete", () => {
    const maker = createMarkdownRows(20, true);
    expect(textOf(maker.push("The quick brown fox jumps over"))).toEqual(["The quick brown fox"]);
    expect(maker.open?.map(({ text }) => text)).toEqual(["jumps over"]);
    expect(textOf(maker.push(" the **lazy"))).toEqual([]);
    expect(textOf(maker.push(" dog**\n"))).toEqual(["jumps over the lazy", "dog"]);
    expect(textOf(maker.push("- one\n- tw"))).toEqual(["• one"]);
    expect(textOf(maker.push("o *x\n"))).toEqual([]);
    expect(textOf(maker.push("y* z\n"))).toEqual(["• two x", "  y z"]);
    expect(textOf(maker.push("```\na\nb"))).toEqual(["  a"]);
    expect(textOf(maker.end())).toEqual(["  b"]);
  });

  it("goes on with a block of code after an interruption, but not in the next message", () => {
    const createRows = (columns: number) => createMarkdownRows(columns, true);
    const rows = rowsOf(
      [
        { type: "text", delta: "```\n- a\n", messageId: "1" },
        { type: "read", path: "/repo/x", isSuccess: true },
        { type: "text", delta: "- b\n", messageId: "1" },
        { type: "agent", message: "```\n- a\n- b\n", messageId: "1" },
        { type: "agent", message: "- c", messageId: "2" },
      ],
      { createRows },
    );
    expect(rows.filter((row) => row.includes("- ") || row.includes("•"))).toEqual(["  - a", "  - b", "• c"]);
  });
});

describe("Markdown of any kind", () => {
  const piece = fc.oneof(
    fc.constantFrom(
      "# ",
      "- ",
      "  ",
      "    ",
      "1. ",
      "\n",
      "\n\n",
      "```",
      "|",
      "---",
      "> ",
      "**",
      "*",
      "_",
      "`",
      "[a](b)",
      "~~",
      "\\",
      "<",
      "&amp;",
      "&#13;",
      "&#8238;",
      "&rlm;",
      "&#8203;",
      "日本",
      "👩‍👩‍👧",
    ),
    fc.stringMatching(/^[a-z]{1,12} ?$/),
  );
  const source = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(""));
  const columns = fc.integer({ min: 20, max: 100 });

  it("loses no word, and is never wider than the terminal", () => {
    fc.assert(
      fc.property(source, columns, fc.boolean(), (text, width, hasColors) => {
        const rows = show(text, { columns: width, hasColors });
        const words = (from: string): string =>
          from.replace(/&#?\w+;|\[U\+\w+\]/g, "").replace(/[^a-z日本]/g, "");
        // A table that is too wide repeats its titles.
        if (!text.includes("|")) expect(words(rows.join(""))).toBe(words(text));
        for (const row of rows) {
          expect(widthOf(row)).toBeLessThanOrEqual(width);
          expect(row).not.toMatch(unsafe);
          expect(row).not.toContain("\n");
        }
      }),
    );
  });

  it("is the same in whatever pieces it comes", () => {
    fc.assert(
      fc.property(source, columns, fc.integer({ min: 1, max: 30 }), (text, width, step) => {
        expect(show(text, { columns: width, step })).toEqual(show(text, { columns: width }));
      }),
    );
  });

  it("is bounded: a line without end is shown before it ends", () => {
    const maker = createMarkdownRows(80, true);
    const rows = Array.from({ length: 300 }, () => maker.push(`${"*a".repeat(100)} `)).flat();
    expect(rows.map(plainTextOf).join("").length).toBeGreaterThan(30_000);
  });

  it.each(["rm x&#13;ls", "a&#12;b", "# a&#13;b", "a | b\n-|-\nc&#8232;d | e", "[a&#13;b](https://c.d)"])(
    "has nothing unsafe that an entity stands for: %j",
    (text) => {
      const rows = show(text);
      expect(rows.join("\n")).not.toMatch(unsafe);
      expect(rows.every((row) => !row.includes("\n"))).toBe(true);
      // Nothing of it looks like a row of its own.
      expect(rows.length).toBeGreaterThan(0);
    },
  );

  // Each of these took minutes: a test that takes so long fails.
  it.each([
    ["marks without a partner in many lines", "[\n".repeat(5_000)],
    ["emphasis without an end in many lines", "*a **b\n".repeat(2_500)],
    ["a heading of white space", `# a${" \t".repeat(60_000)}b\n`],
    ["a deep indentation", `${" ".repeat(200_000)}- x\n`],
    ["a fence of white space", `\`\`\`${" ".repeat(200_000)}\`\n`],
    ["a fence of tildes", `${"~".repeat(200_000)}\`\n`],
    ["a table with many columns", `${"|a".repeat(9000)}|\n${"|-".repeat(9000)}|\n${"|b".repeat(9000)}|\n`],
    ["a row with many cells", `|a|b|\n|-|-|\n|${"b|".repeat(150_000)}\n`],
    ["a line of emoji", "👩‍👩‍👧".repeat(6_000)],
  ])("is quick: %s", (_, text) => {
    expect(show(text).length).toBeGreaterThan(0);
    expect(show(text.slice(0, 30_000), { step: 100 }).length).toBeGreaterThan(0);
  });
});
