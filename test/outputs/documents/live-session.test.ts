import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { toHtml } from "../../../src/outputs/html/page.js";
import { toMarkdown } from "../../../src/outputs/markdown/transcript.js";
import { liveSession } from "../live-session.js";
import { recordOf } from "./run.js";

const run = recordOf(liveSession().flat(), "");

describe("a live session as Markdown", () => {
  it("is the transcript that was read and found good", () => {
    const expected = readFileSync(new URL("./live-session.expected.md", import.meta.url), "utf8");
    expect(toMarkdown(run)).toBe(expected);
  });

  it("keeps the turns when texts have to be cut", () => {
    const long = run.events.map((event) =>
      event.type === "tool_end" ? { ...event, output: "x".repeat(90_000) } : event,
    );
    const text = toMarkdown({ ...run, events: long });
    expect(text.length).toBeLessThan(60_000);
    expect(text.match(/^## Turn \d/gm)).toHaveLength(4);
  });
});

describe("a live session as HTML", () => {
  const page = toHtml(run);

  it("has a heading for each turn, with its prompt", () => {
    expect(page.match(/<h2>Turn \d/g)).toEqual(["<h2>Turn 1", "<h2>Turn 2", "<h2>Turn 3", "<h2>Turn 4"]);
    expect(page).toContain("The cart total is wrong.\nFix it.</div>");
    expect(page).toContain("Turn 2: interrupted");
  });

  it("has the requests with their decisions, and the plan", () => {
    for (const words of ["answered by the user", "denied by the user", "withdrawn", "1 of 3 done"])
      expect(page).toContain(words);
    expect(page).toMatch(/allowed by rule\s*<code>command: npm test<\/code>/);
  });

  it("has filters for them", () => {
    for (const kind of ["turn", "request", "plan"]) expect(page).toContain(`data-kind="${kind}"`);
  });
});
