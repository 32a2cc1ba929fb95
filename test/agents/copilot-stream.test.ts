import { describe, expect, it } from "vitest";
import { copilot } from "../../src/agents/copilot/definition.js";
import { createFramedTranslator } from "../../src/agents/frame/frame.js";
import { readCapture } from "../support/captures.js";
import { translateRun } from "../support/translated-run.js";

const linesOf = (scenario: string) => readCapture("copilot", scenario).stdout;

describe("a session of Copilot", () => {
  it("is known from the first event when the run was started with its id", () => {
    const told = translateRun(copilot, linesOf("text"), { sessionId: "chosen" });
    expect(new Set(told.events.map(({ sessionId }) => sessionId))).toEqual(new Set(["chosen"]));
  });

  it("is named by the last record otherwise", () => {
    const told = translateRun(copilot, linesOf("text"));
    expect(told.of("text")[0]?.sessionId).toBeUndefined();
    expect(told.result.sessionId).toBe("c4b73698-c79f-4910-8ddf-95e7d8a6e359");
  });

  it("that is resumed counts the time of its earlier runs, so the observed time is reported", () => {
    expect(translateRun(copilot, linesOf("text")).result.durationMs).toBe(584);
    expect(translateRun(copilot, linesOf("text"), { isResumed: true }).result.durationMs).toBe(0);
  });
});

describe("the end of a run of Copilot", () => {
  it("is no success when the turn was aborted, though its record has the exit code 0", () => {
    const { result } = translateRun(copilot, linesOf("killednative"));
    expect(result).toMatchObject({ isSuccess: false, failure: { kind: "cancelled" } });
  });

  it("is a failure of the provider when the model said nothing", () => {
    const { result } = translateRun(copilot, linesOf("1.0.102-emptyanswer"), { ended: { exitCode: 1 } });
    expect(result.failure).toMatchObject({ kind: "provider" });
  });

  it("is no success without the final record, though the exit code is 0", () => {
    const { result } = translateRun(copilot, linesOf("text").slice(0, -1));
    expect(result).toMatchObject({ isSuccess: false, text: expect.stringContaining("Hello") });
  });

  it("is killed when a signal came after the success", () => {
    const { result } = translateRun(copilot, linesOf("text"), {
      ended: { exitCode: null, signal: "SIGTERM" },
    });
    expect(result.failure).toEqual({ kind: "killed", message: "killed by SIGTERM" });
  });

  it.each([
    "BYOK providers require an explicit model. Run `copilot help providers` for configuration details.",
    "Error: No session, task, or name matched '11111111-2222-4333-8444-555555555556'.",
  ])("that could not begin is a matter of its configuration: %s", (message) => {
    const translator = createFramedTranslator(copilot, { cwd: "/repo" });
    translator.diagnostic(message);
    const result = translator.end({ exitCode: 1 }).find(({ type }) => type === "result");
    expect(result).toMatchObject({ failure: { kind: "config", message } });
  });
});

describe("an answer of Copilot", () => {
  const delta = (messageId: string, deltaContent: string) => ({
    type: "assistant.message_delta",
    data: { messageId, deltaContent },
  });
  const whole = (messageId: string, content: string) => ({
    type: "assistant.message",
    data: { messageId, content, toolRequests: [] },
  });
  const retry = { type: "assistant.turn_retry", data: { turnId: "0", reason: "streaming_error" } };
  const turnEnd = { type: "assistant.turn_end", data: { turnId: "0" } };

  it("that was cut and is asked for again is withdrawn", () => {
    const told = translateRun(copilot, [
      delta("a", "Half"),
      retry,
      delta("b", "Whole."),
      whole("b", "Whole."),
    ]);
    expect(told.of("agent").map(({ message }) => message)).toEqual(["Whole."]);
    expect(told.of("warning").map(({ code, message }) => [code, message])).toEqual([
      ["text_withdrawn", "the answer was cut: its text so far is withdrawn"],
      ["streaming_error", "the request is tried again: streaming_error"],
    ]);
  });

  it("that was too long stays, since Copilot goes on without its whole message", () => {
    const told = translateRun(copilot, [
      delta("a", "Half"),
      turnEnd,
      delta("b", "Rest."),
      whole("b", "Rest."),
    ]);
    expect(told.of("agent").map(({ message, messageId }) => [messageId, message])).toEqual([
      ["a", "Half"],
      ["b", "Rest."],
    ]);
  });

  it("that was being streamed when the run died is kept", () => {
    const told = translateRun(copilot, [delta("a", "Part "), delta("a", "one")]);
    expect(told.of("agent")).toMatchObject([{ message: "Part one", messageId: "a" }]);
    expect(told.result.text).toBe("Part one");
  });
});

describe("calls of Copilot", () => {
  const start = (toolName: string, args: object | string) => ({
    type: "tool.execution_start",
    data: { toolCallId: "1", toolName, arguments: args },
  });
  const complete = (data: object) => ({
    type: "tool.execution_complete",
    data: { toolCallId: "1", success: true, ...data },
  });

  it("succeed by the exit code of a command, not by the flag", () => {
    const told = translateRun(copilot, [
      start("bash", { command: "false" }),
      complete({ shellExecution: { exitCode: 1 } }),
    ]);
    expect(told.of("command")).toMatchObject([{ exitCode: 1, isSuccess: false }]);
  });

  it("that go on in the background have no outcome", () => {
    const told = translateRun(copilot, [
      start("bash", { command: "sleep 9", mode: "async" }),
      complete({ result: { content: "<command started in background with shellId: 1>" } }),
    ]);
    expect(told.of("command")[0]).not.toHaveProperty("isSuccess");
  });

  it("that view a directory list it", () => {
    const told = translateRun(copilot, [
      start("view", { path: "src" }),
      complete({ toolTelemetry: { properties: { viewType: "directory" } } }),
    ]);
    expect(told.of("list")).toMatchObject([{ path: "/repo/src", isSuccess: true }]);
    expect(told.of("read")).toEqual([]);
  });

  it("read to the end of a file when the last line is -1", () => {
    const told = translateRun(copilot, [start("view", { path: "a.ts", view_range: [5, -1] }), complete({})]);
    expect(told.of("read")).toMatchObject([{ path: "/repo/a.ts", startLine: 5 }]);
    expect(told.of("read")[0]).not.toHaveProperty("endLine");
  });

  it.each([
    [["src"], "/repo/src"],
    ["src", "/repo/src"],
    [["src", "test"], undefined],
  ])("that search %j have the path %s", (paths, path) => {
    const told = translateRun(copilot, [start("grep", { pattern: "x", paths }), complete({})]);
    expect(told.of("search")[0]?.path).toBe(path);
  });
});

describe("subagents of Copilot", () => {
  it("that started others are their parents", () => {
    const started = (agentId: string, toolCallId: string) => ({
      type: "subagent.started",
      agentId,
      data: { toolCallId, agentName: "explore" },
    });
    const task = (toolCallId: string, agentId?: string) => ({
      type: "tool.execution_start",
      agentId,
      data: { toolCallId, toolName: "task", arguments: {} },
    });
    const told = translateRun(copilot, [
      task("outer"),
      started("agent-1", "outer"),
      task("inner", "agent-1"),
      started("agent-2", "inner"),
      { type: "subagent.failed", agentId: "agent-2", data: { toolCallId: "inner", agentName: "explore" } },
    ]);
    expect(
      told.of("orchestration").map(({ action, callId, parentCallId }) => [action, callId, parentCallId]),
    ).toEqual([
      ["subagent_started", "outer", undefined],
      ["subagent_started", "inner", "outer"],
      ["subagent_failed", "inner", "outer"],
    ]);
  });
});
