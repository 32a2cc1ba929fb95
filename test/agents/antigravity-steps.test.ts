import { describe, expect, it } from "vitest";
import { antigravity } from "../../src/agents/antigravity/definition.js";
import { translateRun } from "../support/translated-run.js";

const step = (fields: object) => ({
  event: "step_update",
  step_update: { conversation_id: "c", state: "DONE", ...fields },
});
const result = (fields: object = {}) => ({
  event: "result",
  result: { conversation_id: "c", status: "SUCCESS", response: "Done.", ...fields },
});
const usage = (input: number, output: number) => ({ input_tokens: input, output_tokens: output });

describe("antigravity: steps that report an error", () => {
  it("are warnings, with or without a text", () => {
    const told = translateRun(antigravity, [
      step({ step_index: 1, step_type: "error_message", state: "ACTIVE" }),
      step({ step_index: 1, step_type: "error_message", duration_seconds: 0 }),
      step({ step_index: 2, step_type: "error_message", error: "Model temporarily unavailable" }),
      result(),
    ]);
    expect(told.of("warning").map(({ message }) => message)).toEqual([
      "Antigravity reports an error, but not which",
      "Model temporarily unavailable",
    ]);
    expect(told.of("error")).toEqual([]);
    expect(told.of("unknown")).toEqual([]);
    expect(told.result.isSuccess).toBe(true);
  });

  it("are the cause if the run fails, which is an error of its own", () => {
    const failed = step({ step_index: 1, step_type: "error_message", error: "UNAVAILABLE (code 503): full" });
    for (const records of [[failed], [failed, result({ status: "ERROR" })]]) {
      const told = translateRun(antigravity, records);
      expect(told.of("error").map(({ message }) => message)).toEqual(["UNAVAILABLE (code 503): full"]);
      expect(told.result.failure).toMatchObject({
        kind: "provider",
        message: "UNAVAILABLE (code 503): full",
      });
    }
  });
});

describe("antigravity: steps of the type `unknown`", () => {
  it("say nothing if they are empty", () => {
    const empty = step({ step_index: 1, step_type: "unknown", duration_seconds: 0.001 });
    expect(translateRun(antigravity, [empty, result()]).of("unknown")).toEqual([]);
  });

  it("are kept if they are not", () => {
    const full = step({ step_index: 1, step_type: "unknown", tool_info: { name: "x" } });
    expect(
      translateRun(antigravity, [full, result()])
        .of("unknown")
        .map(({ raw }) => raw),
    ).toEqual([full]);
  });
});

describe("antigravity: tokens", () => {
  const answer = (step_index: number, tokens: object) =>
    step({ step_index, step_type: "agent_response", usage: tokens });
  const total = (records: object[]) =>
    translateRun(antigravity, records)
      .of("usage")
      .find(({ scope }) => scope === "run")?.totalTokens;

  it("are those of the steps if the result has fewer", () => {
    expect(total([answer(1, usage(100, 10)), answer(2, usage(50, 5)), result({ usage: usage(50, 5) })])).toBe(
      165,
    );
  });

  it("are those of the result if a step did not report its own", () => {
    expect(total([answer(1, usage(100, 10)), result({ usage: usage(300, 10) })])).toBe(310);
  });

  it("are those of the steps if there is no result", () => {
    expect(total([answer(1, usage(100, 10)), answer(2, usage(50, 5))])).toBe(165);
  });

  it("are counted once in a run of many steps, each of which is repeated", () => {
    const steps = Array.from({ length: 5000 }, (_, at) => [
      answer(at, usage(10, 1)),
      answer(at, usage(10, 2)),
    ]).flat();
    expect(total(steps)).toBe(5000 * 12);
  });

  it("are counted once if a step is repeated", () => {
    const begun = step({ step_index: 1, state: "ACTIVE", step_type: "agent_response", usage: usage(100, 1) });
    const twice = [answer(1, usage(100, 10)), answer(1, usage(100, 9))];
    const told = translateRun(antigravity, [begun, ...twice, result()]);
    expect(told.of("usage").map(({ scope, totalTokens }) => [scope, totalTokens])).toEqual([
      ["step", 110],
      ["run", 110],
    ]);
  });
});

describe("antigravity: the answer that the result restates", () => {
  const said = (step_index: number, text_delta: string) =>
    step({ step_index, step_type: "agent_response", text_delta });
  const messages = (response: string) =>
    translateRun(antigravity, [said(1, "Let me look."), said(3, "Found it.\n"), result({ response })])
      .of("agent")
      .map(({ message }) => message);

  it.each(["Found it.\n", "Let me look.\n\nFound it.\n", ""])("is not repeated: %j", (response) => {
    expect(messages(response)).toEqual(["Let me look.", "Found it.\n"]);
  });

  it("is not repeated if it is longer than what is remembered", () => {
    const long = "word ".repeat(300_000);
    const records = [said(1, long), said(3, long), result({ response: `${long}\n${long}` })];
    expect(translateRun(antigravity, records).of("agent")).toHaveLength(2);
  });

  it("is not repeated by the result of a later turn", () => {
    const records = [said(1, "One."), result({ response: "One." }), said(3, "Two.")];
    const told = translateRun(antigravity, [...records, result({ response: "One.\nTwo." })]);
    expect(told.of("agent").map(({ message }) => message)).toEqual(["One.", "Two."]);
  });

  it("is a message if it was not streamed", () => {
    expect(messages("It is 42.")).toEqual(["Let me look.", "Found it.\n", "It is 42."]);
  });
});

it("antigravity: does not claim that a command worked, since its exit code is not reported", () => {
  const info = { name: "run_command", parameters: { CommandLine: "make" }, output: "make: *** Error 2" };
  const told = translateRun(antigravity, [
    step({ step_index: 1, step_type: "tool", tool_name: "run_command", tool_info: info }),
    result(),
  ]);
  expect(told.of("command")).toMatchObject([{ command: "make" }]);
  expect(told.of("command")[0]).not.toHaveProperty("isSuccess");
});
