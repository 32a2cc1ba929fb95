import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { topics } from "../../src/cli/help/topics.js";
import { failureKinds } from "../../src/events/failure.js";

it("docs/outcomes.md has every kind of failure, in the order of src/events/failure.ts", () => {
  const page = readFileSync(new URL("../../docs/outcomes.md", import.meta.url), "utf8");
  const table = page.split("## Kinds of failure")[1]?.split("\n## ")[0] ?? "";
  expect([...table.matchAll(/^\| `(\w+)`/gm)].map(([, kind]) => kind)).toEqual([...failureKinds]);
});

it("`harness help outcomes` has every kind of failure", () => {
  const text = topics["outcomes"]?.text ?? "";
  const kinds = /^failure\.kind: ([\s\S]*?)\n\n/m.exec(text)?.[1] ?? "";
  const hint = "the topic `outcomes` in src/cli/help/topics.ts lists them after `failure.kind:`";
  expect(kinds.split(/\s+/), hint).toEqual([...failureKinds]);
});
