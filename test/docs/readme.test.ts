import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { agents } from "../../src/agents/registry.js";

it("README.md names every agent that is built in", () => {
  const text = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  const list = /^Built in: (.*)/m.exec(text)?.[1] ?? "";
  const missing = agents.map(({ id }) => id).filter((id) => id !== "generic" && !list.includes(`\`${id}\``));
  expect(missing, "add these to the line `Built in:` of README.md").toEqual([]);
});

it("README.md counts the agents that are built in by name", () => {
  const text = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  const words = ["sixteen", "seventeen", "eighteen", "nineteen", "twenty"];
  const named = agents.filter(({ id }) => id !== "generic" && id !== "acp").length;
  expect(text).toContain(`instead of ${words[named - 16]}`);
});
