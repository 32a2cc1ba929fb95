import fc from "fast-check";
import MarkdownIt from "markdown-it";
import { describe, expect, it } from "vitest";
import { HarnessEvent } from "../../../src/events/event.js";
import { toMarkdown } from "../../../src/outputs/markdown/transcript.js";
import { codeSpan, fence } from "../../../src/outputs/markdown-fence.js";
import { quoteMarkdown } from "../../../src/outputs/markdown-quote.js";
import { cleanText } from "../../../src/text/clean-text.js";
import { arbitraryOf } from "../arbitrary.js";
import type { Given } from "../support.js";
import { captureOf, hostileTexts, recordOf, runOf } from "./run.js";

/** Reads Markdown as GitHub does: with HTML. */
const reader = new MarkdownIt("default", { html: true });

type Token = ReturnType<typeof reader.parse>[number];

function tokensOf(text: string): Token[] {
  return reader.parse(text, {}).flatMap(withChildren);
}

function withChildren(token: Token): Token[] {
  return [token, ...(token.children ?? []).flatMap(withChildren)];
}

const texts = fc.oneof(
  fc.constantFrom(...hostileTexts),
  fc.string({ unit: "binary", maxLength: 60 }),
  fc
    .array(
      fc.constantFrom(
        "`",
        "```",
        "~~~",
        "\n",
        "> ",
        "<b>",
        "</details>",
        "![",
        "](x)",
        "<!--",
        "-",
        "a",
        "    ",
      ),
      {
        maxLength: 30,
      },
    )
    .map((parts) => parts.join("")),
);

describe("nothing that an agent prints leaves its place", () => {
  it("a fence holds any text, whole", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const tokens = reader.parse(`${fence(text)}\n\nafter`, {});
        expect(tokens.map(({ type }) => type)).toEqual([
          "fence",
          "paragraph_open",
          "inline",
          "paragraph_close",
        ]);
        expect(tokens[0]?.content).toBe(`${cleanText(text).replace(/\n+$/, "")}\n`);
      }),
    );
  });

  it("a code span holds any line, whole", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[`a <>*]{1,20}$/), (line) => {
        fc.pre(line.trim() !== "");
        const [inline] = reader.parse(`x ${codeSpan(line)} y`, {}).filter(({ type }) => type === "inline");
        expect(inline?.children?.map(({ type }) => type)).toEqual(["text", "code_inline", "text"]);
        expect(inline?.children?.[1]?.content.trim()).toBe(line.trim());
      }),
    );
  });

  it("a quotation ends where it ends, and has neither HTML nor images", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const tokens = reader.parse(`${quoteMarkdown(text)}\n\nafter`, {});
        expect(tokens.filter(({ level }) => level === 0).map(({ type }) => type)).toEqual([
          "blockquote_open",
          "blockquote_close",
          "paragraph_open",
          "paragraph_close",
        ]);
        const types = new Set(tokensOf(quoteMarkdown(text)).map(({ type }) => type));
        for (const type of ["html_block", "html_inline", "image"]) expect(types).not.toContain(type);
      }),
    );
  });

  it("a quotation without HTML is left as it was written", () => {
    expect(quoteMarkdown("if `a < b` then **b** > a\n\n- x <https://a.example>")).toBe(
      "> if `a < b` then **b** > a\n>\n> - x <https://a.example>",
    );
  });

  it.each(hostileTexts.map((text) => [text]))("a transcript full of %j keeps its sections", (text) => {
    const run = recordOf(
      runOf(
        { type: "agent", message: text },
        { type: "thinking", message: text },
        { type: "tool_start", callId: "c", name: text, input: { command: text } },
        { type: "tool_end", callId: "c", name: text, isSuccess: false, output: text },
        { type: "command", command: text, exitCode: 1, callId: "c" },
        { type: "write", path: `/repo/${text}` },
        { type: "error", message: text },
        { type: "unknown", raw: text },
      ).events,
      text,
    );
    const tokens = reader.parse(toMarkdown(run), {});
    const html = tokens.filter(({ type }) => type === "html_block").map(({ content }) => content.trim());
    const own = /^(?:<details><summary>[^<>]*(?:<code>[^<>]*<\/code>[^<>]*)?<\/summary>|<\/details>)$/;
    for (const block of html) expect(block).toMatch(own);
    expect(html.filter((block) => block === "</details>")).toHaveLength(html.length / 2);
    const headings = tokens.flatMap((token, index) =>
      token.type === "heading_open" && token.level === 0 ? [tokens[index + 1]?.content] : [],
    );
    expect(headings.slice(1)).toEqual([
      "Answer",
      "Changes",
      "Commands",
      "Errors and warnings",
      "Conversation",
    ]);
    const types = new Set(tokensOf(toMarkdown(run)).map(({ type }) => type));
    for (const type of ["html_inline", "image"]) expect(types).not.toContain(type);
  });
});

describe("a transcript", () => {
  it("tells a real run", async () => {
    await expect(toMarkdown(captureOf("codex", "patch"))).toMatchFileSnapshot(
      "../../fixtures/export/transcript.md",
    );
  });

  it("tells why a run failed", () => {
    const text = toMarkdown(captureOf("claude", "api401"));
    expect(text).toContain("✗ **Failed**");
    expect(text).toContain("**auth**\n\n> Invalid API key");
    expect(text).toMatch(/\n\nNext step: Set ANTHROPIC.+ to a valid key/);
  });

  it("shows an edit as a diff", () => {
    const text = toMarkdown(captureOf("pi", "files"));
    expect(text).toContain("```diff\n-export const u5 = '5';\n+export const u5 = 'five';\n```");
  });

  it("never tells more than was reported", () => {
    const text = toMarkdown(runOf());
    expect(text).not.toMatch(/tokens|\$|## /);
  });

  it("of any events has an end, and fits where it is to be pasted", () => {
    fc.assert(
      fc.property(fc.array(arbitraryOf(HarnessEvent), { maxLength: 20 }), texts, (events, prompt) => {
        const text = toMarkdown(recordOf(events, prompt));
        expect(text).toMatch(/\n\*Recorded by harness as `r1` on 2026-01-01\..*\*\n$/);
        expect(text.length).toBeLessThanOrEqual(65_536);
      }),
      { numRuns: 50 },
    );
  });

  it("is cut to fit, and not at all when all of it is wanted", () => {
    const given = Array.from({ length: 300 }, (_none, index): Given[] => [
      { type: "tool_start", callId: `c${index}`, name: "Bash", input: { command: `make ${index}` } },
      { type: "tool_end", callId: `c${index}`, name: "Bash", isSuccess: true, output: "x".repeat(5000) },
      { type: "command", command: `make ${index}`, exitCode: 0, callId: `c${index}` },
    ]).flat();
    const run = runOf(...given, { type: "agent", message: "word ".repeat(20_000) });
    const cut = toMarkdown(run);
    expect(cut.length).toBeLessThanOrEqual(60_000);
    expect(cut).toContain("characters left out");
    expect(cut).toContain("`--full`");
    const whole = toMarkdown(run, { maxCharacters: Number.POSITIVE_INFINITY });
    expect(whole.length).toBeGreaterThan(1_500_000);
    expect(whole).not.toContain("left out");
  });
});
