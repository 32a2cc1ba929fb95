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

  const refusal =
    'permission check failed for command "ls": user denied permission to run command\\nDo not circumvent this.';
  const call = `{"event":"step_update","step_update":{"step_index":2,"state":"ERROR","step_type":"tool","tool_name":"run_command","tool_info":{"name":"run_command","parameters":{"CommandLine":"ls"},"error":{"type":"TOOL_ERROR","message":${JSON.stringify(refusal)}}}}}`;
  const jetski =
    'jetski: no output produced — a tool required the "command" permission that headless mode cannot prompt for, so it was auto-denied.';

  it("also when only the call says that it was denied, and there is no answer", () => {
    const empty = success.replace('"half"', '""');
    expect(resultOf([call, empty])).toMatchObject({ isSuccess: false, failure: { kind: "permission" } });
    expect(resultOf([call, success])).toMatchObject({ isSuccess: true, text: "half" });
  });

  it.each([
    ["before", [`!${jetski}`, success]],
    ["after", [success, `!${jetski}`]],
  ])("also when standard error says that a tool was denied, %s the result", (_when, lines) => {
    expect(resultOf(lines)).toMatchObject({ isSuccess: false, failure: { kind: "permission" } });
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

function failureOf(fields: object, ended: Ended = { exitCode: 1 }) {
  return resultOf([JSON.stringify({ event: "result", result: { conversation_id: "c", ...fields } })], ended)
    ?.failure;
}

describe("Antigravity says in its result why it failed", () => {
  it.each([
    [{ status: "ERROR", error: "interrupted" }, "cancelled"],
    [{ status: "CANCELED", response: "" }, "cancelled"],
    [{ status: "INTERRUPTED", response: "" }, "cancelled"],
    [{ status: "ERROR", error: "timeout waiting for response" }, "timed_out"],
    [{ status: "ERROR", denied_actions: [{ action: "command" }] }, "permission"],
    [
      {
        status: "ERROR",
        error: "Individual quota reached. Please upgrade your subscription. Resets in 3h1m",
      },
      "quota",
    ],
    [{ status: "ERROR", error: "RESOURCE_EXHAUSTED (code 429): Resets in 3h1m10s." }, "quota"],
    [
      {
        status: "ERROR",
        error:
          "API error (attempt 7): Error 429, Message: Resource has been exhausted (e.g. check quota)., Status: RESOURCE_EXHAUSTED, Details: []",
      },
      "quota",
    ],
    [
      {
        status: "ERROR",
        error:
          "agent executor error: generating and executing: Error 500, Message: An internal error has occurred., Status: INTERNAL, Details: []",
      },
      "provider",
    ],
    [{ status: "ERROR", error: "UNAUTHENTICATED (code 401): OAuth failed" }, "auth"],
  ])("%j is %s", (fields, kind) => {
    expect(failureOf(fields)).toMatchObject({ kind });
    expect(failureOf(fields, { exitCode: 0 })).toMatchObject({ kind });
  });

  it("and its words count more than a time limit that standard error reports", () => {
    const limit = '{"event":"result","result":{"status":"ERROR","error":"RESOURCE_EXHAUSTED (code 429): x"}}';
    for (const lines of [
      [`!${timeout}`, limit],
      [limit, `!${timeout}`],
    ]) {
      expect(resultOf(lines)).toMatchObject({ failure: { kind: "quota" } });
    }
  });
});

describe("Antigravity prints plain text and exits 0", () => {
  it.each([
    ["Error: Individual quota reached. Please upgrade your subscription. Resets in 37h50m21s.", "quota"],
    [
      "jetski: no output produced — a tool required a permission that headless mode cannot prompt for",
      "permission",
    ],
  ])("although it has no answer: %s", (line, kind) => {
    expect(resultOf([line])).toMatchObject({ isSuccess: false, failure: { kind } });
  });

  it("with an answer that speaks of errors", () => {
    expect(resultOf(["The program says:", "Error: no quota"])).toMatchObject({ isSuccess: true });
  });
});
