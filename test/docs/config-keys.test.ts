import { expect, it } from "vitest";
import { knownKeys } from "../../src/config/schema.js";
import { configTemplate } from "../../src/config/template.js";
import { helpTopic } from "../support/help-topic.js";

const keys = [...knownKeys.root, ...knownKeys.agents];

it("`harness config init` writes every key of the configuration", () => {
  const missing = keys.filter((key) => !isIn(configTemplate, key));
  expect(missing, "name these in src/config/template.ts").toEqual([]);
});

it("`harness help configuration` has every key of the configuration", async () => {
  const text = await helpTopic("configuration");
  const missing = keys.filter((key) => !isIn(text, key));
  expect(missing, "name these in the topic `configuration` of src/cli/help").toEqual([]);
});

function isIn(text: string, key: string): boolean {
  return new RegExp(`(^|\\W)${key}\\b`, "m").test(text);
}
