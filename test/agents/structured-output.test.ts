import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { requireAgent } from "../../src/agents/registry.js";
import { createOutputCheck } from "../../src/runs/recording/output-check.js";
import type { JsonObject } from "../../src/text/json.js";
import { translateRun } from "../support/translated-run.js";

/** What became of a capture in a run that was asked for this schema. */
function resultOf(capture: string, schema: JsonObject) {
  const [agent = ""] = capture.split("/");
  const file = new URL(`../fixtures/captures/${capture}/stdout.jsonl`, import.meta.url);
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  return translateRun(requireAgent(agent), lines, { checkOutput: createOutputCheck(schema) }).result;
}

const named = (...required: string[]): JsonObject => ({ type: "object", required });

it.each([
  ["claude/structured", named("name", "count"), { name: "kiwi", count: 3 }],
  ["qwen/schema", named("answer", "score"), { answer: "forty-two", score: 42 }],
  ["grok/partial-schema", named("word"), { word: "fine" }],
] as const)("%s: the output is the value that the agent reports", (capture, schema, output) => {
  expect(resultOf(capture, schema)).toMatchObject({ isSuccess: true, output });
});

it.each([
  ["claude/structured", named("other"), "the answer does not fit the schema: #: "],
  ["claude/structured-never", named("name"), "the answer does not fit the schema: it is not JSON"],
  ["grok/partial-schema-wrong", named("word"), "output does not match the required schema: "],
] as const)("%s: a run without a fitting answer has failed", (capture, schema, message) => {
  const { isSuccess, output, failure } = resultOf(capture, schema);
  expect({ isSuccess, output, kind: failure?.kind }).toEqual({
    isSuccess: false,
    output: undefined,
    kind: "schema",
  });
  expect(failure?.message).toContain(message);
});
