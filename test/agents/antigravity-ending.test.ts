import { describe, expect, it } from "vitest";
import { antigravity } from "../../src/agents/antigravity/definition.js";
import { createTranslator } from "../../src/agents/create-translator.js";
import type { EventOf } from "../../src/events/event.js";
import type { Ended } from "../../src/events/run-state.js";

const success = '{"event":"result","result":{"conversation_id":"c","status":"SUCCESS","response":"half"}}';
const failure =
  '{"event":"result","result":{"conversation_id":"c","status":"ERROR","error":"limit reached"}}';
const timeout = "[agy] print timeout after 5m0s with turn in progress; returning partial output";
const quota = 'AGY_ERROR: {"status":"RESOURCE_EXHAUSTED","error_code":429}';

/** The result of a run that printed these lines in this order; those of standard error begin with `!`. */
function resultOf(lines: readonly string[], ended: Ended = { exitCode: 0 }): EventOf<"result"> | undefined {
  const translator = createTranslator(antigravity);
  for (const line of lines) {
    if (line.startsWith("!")) translator.diagnostic(line.slice(1));
    else translator.line(line);
  }
  return translator.end(ended).find((event) => event.type === "result");
}

describe("Antigravity says SUCCESS and exits 0", () => {
  it.each([
    ["before", [`!${timeout}`, success]],
    ["after", [success, `!${timeout}`]],
  ])("also when its time limit cut the answer off, reported %s the result", (_when, lines) => {
    expect(resultOf(lines)).toMatchObject({
      isSuccess: false,
      failure: { kind: "timed_out", message: timeout },
    });
  });

  it("also when an action was denied", () => {
    const denied = success.replace('"half"', '"","denied_actions":[{"action":"command"}]');
    expect(resultOf([denied])).toMatchObject({ isSuccess: false, failure: { kind: "permission" } });
  });

  it("and then it is one", () => {
    expect(resultOf([success])).toMatchObject({ isSuccess: true, text: "half" });
  });
});

it.each([
  ["before", [`!${quota}`, failure]],
  ["after", [failure, `!${quota}`]],
])("reads the kind of a failure from standard error, reported %s the result", (_when, lines) => {
  expect(resultOf(lines, { exitCode: 3 })).toMatchObject({
    failure: { kind: "quota", message: "limit reached" },
  });
});

it("survives an AGY_ERROR that is not valid JSON", () => {
  expect(resultOf(["!AGY_ERROR: {no}", failure])).toMatchObject({ failure: { message: "limit reached" } });
});

it("takes no duration that cannot be one", () => {
  const backwards = success.replace('"half"', '"half","duration_seconds":-1');
  expect(resultOf([backwards])?.durationMs).toBeGreaterThanOrEqual(0);
});
