import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { agents } from "../../src/agents/registry.js";

it("README.md names every agent that is built in", () => {
  const text = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  const list = /^Built in: (.*)/m.exec(text)?.[1] ?? "";
  const missing = agents.map(({ id }) => id).filter((id) => id !== "generic" && !list.includes(`\`${id}\``));
  expect(missing, "add these to the line `Built in:` of README.md").toEqual([]);
});
