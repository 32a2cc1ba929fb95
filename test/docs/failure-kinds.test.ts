import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { failureKinds } from "../../src/events/failure.js";
import { failureMeanings } from "../../src/story/explain-failure.js";
import { helpTopic } from "../support/help-topic.js";

it("docs/outcomes.md has every kind of failure, in the order of src/events/failure.ts", () => {
  const page = readFileSync(new URL("../../docs/outcomes.md", import.meta.url), "utf8");
  const table = page.split("## Kinds of failure")[1]?.split("\n## ")[0] ?? "";
  expect([...table.matchAll(/^\| `(\w+)`/gm)].map(([, kind]) => kind)).toEqual([...failureKinds]);
});

it("the page explains every kind in the words of docs/outcomes.md, as far as they fit there", () => {
  const page = readFileSync(new URL("../../docs/outcomes.md", import.meta.url), "utf8");
  for (const kind of failureKinds) {
    const row = new RegExp(`^\\| \`${kind}\` \\| (.*) \\|$`, "m").exec(page)?.[1] ?? "";
    const words = row
      .replace(/\[(.*?)\]\(.*?\)/g, "$1")
      .replace(/^only in recordings: /, "")
      .toLowerCase();
    const [first = ""] = failureMeanings[kind].toLowerCase().split(/, | \(| than /);
    expect(words, kind).toContain(first.replace(/^it /, ""));
  }
});

it("`harness help outcomes` has every kind of failure, in that order", async () => {
  const kinds = /^failure\.kind: ([\s\S]*?)\n\n/m.exec(await helpTopic("outcomes"))?.[1] ?? "";
  const hint = "the topic `outcomes` of src/cli/help lists them after `failure.kind:`";
  expect(kinds.split(/\s+/), hint).toEqual([...failureKinds]);
});
