import { describe, expect, it } from "vitest";
import { opencode } from "../../src/agents/opencode/definition.js";
import { translateRun } from "../support/translated-run.js";
import { unified } from "../support/unified.js";

describe("the lines of OpenCode", () => {
  const start = {
    type: "step_start",
    sessionID: "ses_abc123",
    part: { type: "step-start", snapshot: "abc" },
  };
  const finish = (reason: string) => ({
    type: "step_finish",
    sessionID: "ses_abc123",
    part: {
      type: "step-finish",
      reason,
      cost: 0.05,
      tokens: { input: 100, output: 50, reasoning: 0, cache: { read: 500, write: 100 } },
    },
  });
  const text = (words: string) => ({
    type: "text",
    sessionID: "ses_abc123",
    part: { type: "text", text: words },
  });

  it("has one session, however many steps", () => {
    const items = unified(opencode, [start, finish("tool-calls"), start, text("Hi"), finish("stop")]);
    expect(items.filter((item) => "type" in item && item.type === "SessionStart")).toHaveLength(1);
    expect(items[0]).toMatchObject({ session_id: "ses_abc123", agent: "opencode" });
  });

  it("tells its message, and no empty one", () => {
    const told = translateRun(opencode, [start, text(""), text("Hello world"), finish("stop")]);
    expect(told.of("agent").map(({ message }) => message)).toEqual(["Hello world"]);
  });

  it("has nothing to say about words that are only blanks, and keeps the answer before them", () => {
    const blank = { type: "reasoning", part: { text: "\n" } };
    const told = translateRun(opencode, [start, text("Hello world"), blank, text("\n\n"), finish("stop")]);
    expect(told.of("agent").map(({ message }) => message)).toEqual(["Hello world"]);
    expect(told.of("thinking")).toEqual([]);
    expect(told.result.text).toBe("Hello world");
  });

  it("tells a call and its result from one record", () => {
    const state = {
      status: "completed",
      input: { command: "ls" },
      output: "file.txt\n",
      metadata: { exit: 0 },
    };
    const call = { type: "tool_use", part: { type: "tool", callID: "toolu_01", tool: "bash", state } };
    expect(unified(opencode, [start, call, finish("stop")]).slice(1, 3)).toMatchObject([
      { type: "ToolStart", call_id: "toolu_01", tool_name: "bash" },
      { type: "ToolEnd", call_id: "toolu_01", success: true, output: "file.txt\n" },
    ]);
  });

  it("succeeds with a step that stops, and sums the steps", () => {
    const told = translateRun(opencode, [start, finish("tool-calls"), start, text("Done"), finish("stop")]);
    expect(told.result).toMatchObject({ isSuccess: true, text: "Done", costUsd: 0.1 });
    expect(told.of("usage").filter(({ scope }) => scope === "run")).toMatchObject([
      { inputTokens: 200, outputTokens: 100, cacheReadTokens: 1000, cacheWriteTokens: 200 },
    ]);
  });

  it("has not ended with a step that calls tools", () => {
    expect(translateRun(opencode, [start, finish("tool-calls")]).result.isSuccess).toBe(false);
  });

  it("keeps what is no JSON, and records of versions long gone", () => {
    const legacy = [
      { type: "init", session_id: "oc-1", model: "claude-sonnet-4-5", cwd: "/project" },
      { type: "message", content: "Here is the answer" },
    ];
    const told = translateRun(opencode, ["Processing your request...", ...legacy, start, finish("stop")]);
    expect(told.of("unknown").map(({ raw }) => raw)).toEqual(["Processing your request...", ...legacy]);
  });

  it.each([
    [
      "as it is printed",
      { error: { name: "APIError", data: { message: "API key invalid", statusCode: 401 } } },
    ],
    ["as a text", { message: "API key invalid", code: "auth_error" }],
  ])("reports an error %s", (_title, fields) => {
    const told = translateRun(opencode, [start, { type: "error", ...fields }]);
    expect(told.result).toMatchObject({ isSuccess: false, failure: { kind: "auth" } });
    expect(told.result.failure?.message).toContain("API key invalid");
  });

  it("does not mind an empty object", () => {
    expect(translateRun(opencode, [{}, start, text("Hi"), finish("stop")]).result).toMatchObject({
      isSuccess: true,
    });
  });
});
