import { createHash } from "node:crypto";
import { Script } from "node:vm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HarnessEvent } from "../../../src/events/event.js";
import { renderMarkdown } from "../../../src/outputs/html/markdown-view.js";
import { style, toHtml } from "../../../src/outputs/html/page.js";
import { script } from "../../../src/outputs/html/script.js";
import { patch } from "../../page/patches.js";
import { captureNames } from "../../support/captures.js";
import { arbitraryOf } from "../arbitrary.js";
import type { Given } from "../support.js";
import { readTags, type Tag } from "./markup-reader.js";
import { at, captureOf, hostileTexts, recordOf, runOf } from "./run.js";

/** Everything that a page is made of. */
const allowedTags = new Set(
  (
    "html head meta title body header main footer section div span p h1 h2 h3 h4 h5 h6 a b small code pre kbd time output " +
    "details summary dl dt dd ul ol li figure figcaption svg g text line rect button input " +
    "strong em s del blockquote table thead tbody tr th td hr br"
  ).split(" "),
);
const allowedAttributes = new Set(
  (
    "charset http-equiv content name lang class id href rel target title dir open type datetime placeholder role tabindex " +
    "data-kinds data-kind data-view data-value data-path aria-label aria-pressed start " +
    "x y x1 x2 y1 y2 dx width height rx text-anchor"
  ).split(" "),
);

function expectHarmless(tags: readonly Tag[]): void {
  for (const { name, attributes } of tags) {
    expect(allowedTags, name).toContain(name);
    for (const attribute of Object.keys(attributes))
      expect(allowedAttributes, `${name} ${attribute}`).toContain(attribute);
    if (attributes["href"] !== undefined)
      expect(attributes["href"]).toMatch(/^(?:#e\d+$|https?:\/\/|mailto:)/i);
    if (attributes["http-equiv"] !== undefined)
      expect(attributes["http-equiv"]).toBe("Content-Security-Policy");
  }
}

/** The text in every place where an agent can put one. */
function everywhere(text: string): Given[] {
  return [
    { type: "session", model: text, cwd: text },
    { type: "agent", message: text },
    { type: "agent", message: text, role: "user" },
    { type: "text", delta: text, messageId: "never finished" },
    { type: "thinking", message: text },
    {
      type: "tool_start",
      callId: text,
      name: text,
      input: { [text]: text, old_string: text, new_string: `${text}!` },
    },
    { type: "tool_start", callId: "inner", name: text, input: text, parentCallId: text },
    {
      type: "tool_end",
      callId: "inner",
      name: text,
      output: { list: [text], deep: { [text]: text } },
      parentCallId: text,
    },
    { type: "tool_end", callId: text, name: text, isSuccess: false, output: text },
    { type: "command", command: text, exitCode: 1, callId: text },
    { type: "read", path: text, callId: text },
    { type: "write", path: text },
    { type: "search", query: text, path: text },
    { type: "skill", path: text, skillName: text },
    { type: "orchestration", action: "subagent_started", subagentName: text, subagentId: text },
    {
      type: "edits",
      edits: [{ filePath: text, range: { start: 0, end: 1 }, replacement: text, title: text }],
    },
    { type: "warning", message: text, code: text },
    { type: "error", message: text, code: text },
    { type: "unknown", raw: { [text]: [text] } },
    { type: "unknown", raw: text },
  ];
}

function hostileRun(text: string) {
  const { events } = runOf(...everywhere(text));
  const run = recordOf(events, text);
  const failure = { kind: "crash" as const, message: text, hint: `${text}!` };
  return {
    ...run,
    meta: {
      ...run.meta,
      runId: text,
      agent: text,
      agentVersion: text,
      outcome: { isSuccess: false, reason: "failed" as const, failure },
    },
  };
}

describe("nothing that an agent prints becomes part of the page", () => {
  it.each(hostileTexts.map((text) => [text]))("%j", (text) => {
    const page = toHtml(hostileRun(text));
    expectHarmless(readTags(page));
    expect(page).not.toMatch(
      /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u2028\u2029]/,
    );
  });

  it("whatever the events are", () => {
    fc.assert(
      fc.property(fc.array(arbitraryOf(HarnessEvent), { maxLength: 30 }), (events) => {
        expectHarmless(readTags(toHtml(recordOf(events))));
      }),
      { numRuns: 60 },
    );
  });

  it("whatever the Markdown is", () => {
    const part = fc.constantFrom(
      ..."`*_[]()<>!#|-\n\\ \t&\"'a1:/".split(""),
      "http://a.b",
      "javascript:",
      "](",
      "<a href=",
      "```",
      "|-|\n",
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
        expectHarmless(readTags(renderMarkdown(parts.join("")).text));
      }),
      { numRuns: 300 },
    );
  });
});

describe("the page's own policy", () => {
  const page = toHtml(captureOf("claude", "subagent"));
  const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1] ?? "";

  it("allows its one script and its one style by their hashes, and no connection", () => {
    const hash = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
    const [, written] = /<script>([\s\S]*?)<\/script>/.exec(page) ?? [];
    const [, styled] = /<style>([\s\S]*?)<\/style>/.exec(page) ?? [];
    expect(policy.split("; ")).toEqual([
      "default-src 'none'",
      `style-src ${hash(styled ?? "")}`,
      `script-src ${hash(written ?? "")}`,
      "base-uri 'none'",
      "form-action 'none'",
    ]);
    expect(written).toBe(script);
    expect(styled).toBe(style);
    expect(page.match(/<script|<style/g)).toHaveLength(2);
  });

  it("comes before anything that it is to rule", () => {
    expect(page.indexOf("Content-Security-Policy")).toBeLessThan(page.indexOf("<title>"));
    expect(page.indexOf("Content-Security-Policy")).toBeLessThan(page.indexOf("<style>"));
  });

  it("holds for a script that can be read, and neither ends early nor makes HTML", () => {
    expect(() => new Script(script)).not.toThrow();
    expect(script).not.toMatch(/<\/|innerHTML|outerHTML|insertAdjacent|document\.write|eval|Function\(/);
    expect(style).not.toMatch(/<\/|url\(|@import/);
  });
});

describe("a page", () => {
  it.each([
    ["claude", captureNames("claude")],
    ["codex", captureNames("codex")],
  ])("shows every capture of %s, each event of people's interest at its place", (agent, scenarios) => {
    for (const scenario of scenarios) {
      const run = captureOf(agent, scenario);
      const tags = readTags(toHtml(run));
      expectHarmless(tags);
      const ids = tags.flatMap(({ name, attributes }) => (name === "li" ? (attributes["id"] ?? []) : []));
      expect(new Set(ids).size, scenario).toBe(ids.length);
      for (const { type, seq } of run.events) {
        if (
          ["tool_start", "agent", "error", "warning", "unknown"].includes(type) &&
          !wasStreamed(run.events, seq)
        )
          expect(ids, `${scenario}: ${type}`).toContain(`e${seq}`);
      }
    }
  });

  it("links the bars of the time chart to what they stand for", () => {
    const tags = readTags(toHtml(captureOf("claude", "parallel")));
    const ids = new Set(tags.map(({ attributes }) => attributes["id"]));
    const links = tags.flatMap(({ name, attributes }) => (name === "a" ? (attributes["href"] ?? []) : []));
    expect(links.length).toBeGreaterThan(5);
    for (const link of links.filter((href) => href.startsWith("#"))) expect(ids).toContain(link.slice(1));
  });

  it("nests what a subagent did, and shows an edit as a diff", () => {
    const page = toHtml(
      runOf(
        { type: "tool_start", callId: "s", name: "Agent", input: { prompt: "look" } },
        {
          type: "tool_start",
          callId: "e",
          name: "Edit",
          input: { old_string: "a\nb", new_string: "a\nc" },
          parentCallId: "s",
        },
        { type: "tool_end", callId: "e", name: "Edit", isSuccess: true, parentCallId: "s" },
        { type: "tool_end", callId: "s", name: "Agent", isSuccess: true, output: "done" },
      ),
    );
    expect(page.match(/<ol class="timeline">/g)).toHaveLength(2);
    expect(page).toContain(
      '<span class="line same"> a</span><span class="line removed">-b</span><span class="line added">+c</span>',
    );
  });

  it("has what the run changed first: the diff of each file, from the patch, else from the edits", () => {
    const run = captureOf("claude", "files");
    const page = toHtml(run, { patch });
    expectHarmless(readTags(page));
    const changes = page.slice(page.indexOf('<section class="card changes">'), page.indexOf("<figure"));
    expect(changes).toContain("Files changed <small>6</small>");
    expect(changes).toContain('<span class="line added">+    sum += item.price * item.count;</span>');
    expect(changes).toContain("&lt;script&gt;window.harmed = 1&lt;/script&gt;");
    expect(changes).toContain("docs/a.md → docs/b.md");
    expect(changes.indexOf("card changes")).toBeLessThan(changes.indexOf("Commands"));
    const edited = toHtml(run);
    expect(edited).toContain("As the agent’s own edits say.");
    expect(edited).toMatch(/<details class="changed">.*?<span class="line added">/);
  });

  it("tells the start and the end of a subagent by its one row", () => {
    const page = toHtml(captureOf("claude", "subagent"));
    expect(page).toContain('<span class="object mono" dir="auto">general-purpose: Look at util</span>');
    expect(page).not.toContain("Subagent finished");
  });

  it("draws the tokens of each step over time, and of all of them", () => {
    const page = toHtml(
      runOf(
        { type: "usage", scope: "step", inputTokens: 10, outputTokens: 5, reasoningTokens: 2, ...at(1) },
        { type: "usage", scope: "step", inputTokens: 20, cacheReadTokens: 7, outputTokens: 6, ...at(9) },
        {
          type: "usage",
          scope: "run",
          inputTokens: 30,
          cacheReadTokens: 7,
          outputTokens: 11,
          reasoningTokens: 2,
          totalTokens: 48,
          ...at(10),
        },
      ),
    );
    expect(page).toContain("output <b>9</b>");
    expect(page).toContain("reasoning <b>2</b>");
    expect(page).toContain("sent, up to 27 at a time");
    expect(page).toContain("generated, up to 6 at a time");
    expect(page).not.toContain("cache write");
  });

  it("says nothing of tokens and time that were not reported", () => {
    const page = toHtml(runOf());
    expect(page).not.toContain("<figure>");
    expect(page).not.toContain("Cost");
  });
});

describe("a long recording", () => {
  const calls = (count: number, output: string): Given[] =>
    Array.from({ length: count }, (_none, index): Given[] => [
      { type: "tool_start", callId: `c${index}`, name: "Bash", input: { command: `make ${index}` } },
      { type: "tool_end", callId: `c${index}`, name: "Bash", isSuccess: index % 100 !== 99, output },
      { type: "command", command: `make ${index}`, callId: `c${index}` },
    ]).flat();

  it("with a line of 5 MB is cut in the middle, and says so", () => {
    const text = `begin ${"x".repeat(5_000_000)} end`;
    const page = toHtml(
      runOf(...calls(1, text), { type: "agent", message: text }, { type: "error", message: text }),
    );
    expect(page.length).toBeLessThan(500_000);
    expect(page).toContain("begin x");
    expect(page).toContain("x end");
    expect(page).toContain("4,936,010 characters left out");
    expect(toHtml(runOf(...calls(1, text)), { isFull: true }).length).toBeGreaterThan(5_000_000);
  });

  it("of very many calls keeps the beginning, the end and the failures, and counts the rest", () => {
    const run = runOf(...calls(12_000, "ok"));
    const page = toHtml(run);
    const tags = readTags(page);
    const items = tags.filter(({ attributes }) => attributes["class"]?.startsWith("item "));
    expect(items.length).toBeLessThan(10_400);
    const problems = items.filter(({ attributes }) => attributes["class"]?.includes("problem"));
    expect(problems).toHaveLength(120);
    expect(page).toMatch(/Left out here, to keep the page light: commands \d+/);
    expect(page).toContain("make 0<");
    expect(page).toContain("make 11999<");
  });
});

/** The whole of a message stands where its first piece did. */
function wasStreamed(events: readonly HarnessEvent[], seq: number): boolean {
  return events.some((event) => event.type === "text" && event.seq < seq) && events[seq]?.type === "agent";
}
