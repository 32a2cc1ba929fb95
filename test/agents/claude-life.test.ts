import { describe, expect, it } from "vitest";
import { claude } from "../../src/agents/claude/definition.js";
import { createFramedTranslator } from "../../src/agents/frame/frame.js";
import type { EventOf, EventType, HarnessEvent } from "../../src/events/event.js";
import { readCapture, translateCapture } from "../support/captures.js";
import { translateRun } from "../support/translated-run.js";

const init = { type: "system", subtype: "init", model: "claude-sonnet-4-5", cwd: "/repo" };
const text = (words: string, more: object = {}) => ({
  type: "assistant",
  message: { id: "m1", model: "claude-sonnet-4-5", content: [{ type: "text", text: words }] },
  ...more,
});
const partial = (event: object) => ({ type: "stream_event", event });
const piece = (words: string) =>
  partial({ type: "content_block_delta", delta: { type: "text_delta", text: words } });
const success = { type: "result", subtype: "success", is_error: false, duration_ms: 400, result: "Done." };

/** The events of a type in a capture. */
function captured<T extends EventType>(scenario: string, type: T): EventOf<T>[] {
  const events = translateCapture(claude, readCapture("claude", scenario)).flatMap((line) => line.events);
  return events.filter((event: HarnessEvent): event is EventOf<T> => event.type === type);
}

describe("a run of Claude Code with work in the background", () => {
  const lines = readCapture("claude", "shell-background-late").stdout;
  const firstResult = lines.findIndex((line) => line.includes('"type":"result"'));
  const taskEnd = lines.findIndex((line) => line.includes('"subtype":"task_updated"'));
  const secondInit = lines.findIndex((line, at) => at > 0 && line.includes('"subtype":"init"'));

  it("is over when its command has ended after a result, and not over once it asks the model again", () => {
    const translator = createFramedTranslator(claude);
    translator.start();
    const wasDone = lines.map((line) => {
      translator.line(line);
      return translator.isDone;
    });
    expect(taskEnd).toBeGreaterThan(firstResult);
    expect(wasDone.indexOf(true)).toBe(taskEnd);
    expect(wasDone.indexOf(false, taskEnd)).toBe(secondInit);
    expect(wasDone.at(-1)).toBe(true);
  });

  it("failed when it dies after the first of its results, before the last", () => {
    const { result, of } = translateRun(claude, lines.slice(0, secondInit + 1), {
      ended: { exitCode: null, signal: "SIGKILL" },
    });
    expect(result).toMatchObject({ isSuccess: false, failure: { kind: "killed" } });
    expect(result.line).toBeUndefined();
    expect(of("usage").at(-1)).toMatchObject({ inputTokens: 231, scope: "run" });
  });

  it("reports the text, tokens and cost of the last result, and its own measure of the time", () => {
    const { result, of } = translateRun(claude, lines, { hasTiming: false });
    const [usage] = of("usage");
    expect(result).toMatchObject({ isSuccess: true, text: "The command is done now." });
    expect(result.durationMs).toBeUndefined();
    expect(usage?.costUsd).toBe(result.costUsd);
  });

  it("starts a command in the background with success; how the command ends is not reported", () => {
    const [end] = captured("shell-background-late", "tool_end");
    const [command] = captured("shell-background-late", "command");
    expect(end).toMatchObject({ name: "Bash", isSuccess: true });
    expect(command).toMatchObject({ command: "sleep 4; echo bgdone", callId: end?.callId });
    expect(command).not.toHaveProperty("isSuccess");
  });

  it("is measured by its only result otherwise", () => {
    expect(translateRun(claude, [init, text("Done."), success]).result.durationMs).toBe(400);
  });

  it("fails by its last result, in that result's words", () => {
    const failed = { ...success, is_error: true, result: "API Error: 500 Internal server error." };
    const lost = { ...success, is_error: true, result: "API Error: Connection closed mid-response." };
    const { result, of } = translateRun(claude, [init, failed, lost]);
    expect(result.failure).toMatchObject({
      kind: "network",
      message: "API Error: Connection closed mid-response.",
    });
    expect(of("error").map((event) => event.message)).toEqual([failed.result, lost.result]);
  });
});

describe("a subagent of Claude Code", () => {
  it("fails by itself: the run goes on", () => {
    const lines = readCapture("claude", "subagent-background-failed").stdout;
    const translator = createFramedTranslator(claude);
    translator.start();
    for (const line of lines.slice(0, -1)) {
      translator.line(line);
      expect(translator.isDone, line.slice(0, 80)).toBe(false);
    }
    const [error] = captured("subagent-background-failed", "error");
    expect(error).toMatchObject({ parentCallId: expect.stringMatching(/^toolu_/), code: "unknown" });
    expect(captured("subagent-background-failed", "orchestration")).toMatchObject([
      { action: "subagent_started" },
      { action: "subagent_failed", isSuccess: false, callId: error?.parentCallId },
    ]);
    expect(captured("subagent-background-failed", "result")).toMatchObject([{ isSuccess: true }]);
  });

  it("that goes on in the background is not ended by the result of its call", () => {
    const [started, ended] = captured("subagent-background", "orchestration");
    const [end] = captured("subagent-background", "tool_end");
    expect(end).toMatchObject({ name: "Agent", isSuccess: true });
    expect(started?.action).toBe("subagent_started");
    expect(ended).toMatchObject({ action: "subagent_completed", subagentId: started?.subagentId });
    expect(ended?.seq).toBeGreaterThan(end?.seq ?? 0);
  });

  it("of a type that does not exist fails without a start", () => {
    expect(captured("subagent-unknown", "orchestration")).toMatchObject([
      { action: "subagent_failed", subagentName: "nope", isSuccess: false },
    ]);
  });

  it("keeps what it did apart from what another one did at the same time", () => {
    const [util, app] = captured("subagents-parallel", "tool_start").filter(({ name }) => name === "Agent");
    expect(captured("subagents-parallel", "read")).toMatchObject([
      { path: "/workspace/claude-subagents-parallel/src/util.ts", parentCallId: util?.callId },
      {
        path: "/workspace/claude-subagents-parallel/src/app.ts",
        startLine: 1,
        endLine: 3,
        parentCallId: app?.callId,
      },
    ]);
  });

  it("is in a state that nobody has heard of: nothing ends", () => {
    for (const status of ["constructor", "__proto__", "paused"]) {
      const started = { type: "system", subtype: "task_started", task_id: "t", task_type: "local_agent" };
      const updated = { type: "system", subtype: "task_updated", task_id: "t", patch: { status } };
      expect(translateRun(claude, [init, started, updated, success]).of("orchestration")).toHaveLength(1);
    }
  });
});

describe("words of Claude Code that were streamed and then cut", () => {
  const start = partial({ type: "message_start", message: { id: "m1" } });

  it("are a message, and the answer, when the process dies", () => {
    const { result, of } = translateRun(claude, [init, start, piece("Half "), piece("an answer")], {
      ended: { exitCode: 143 },
    });
    expect(of("agent")).toMatchObject([{ message: "Half an answer", line: 4 }]);
    expect(result).toMatchObject({ isSuccess: false, text: "Half an answer" });
  });

  it("belong to no ended message when the start of theirs is missing", () => {
    const whole = (id: string, text: string) => ({
      type: "assistant",
      message: { id, role: "assistant", content: [{ type: "text", text }] },
    });
    const stop = partial({ type: "message_stop" });
    const { of } = translateRun(claude, [
      init,
      start,
      piece("A"),
      whole("m1", "A"),
      stop,
      piece("B"),
      whole("m2", "B"),
    ]);
    expect(of("text").map(({ messageId }) => messageId)).toEqual(["m1", undefined]);
    expect(of("agent").map(({ messageId }) => messageId)).toEqual(["m1", "m2"]);
  });

  it("are a message before the error that cut them", () => {
    const events = translateCapture(claude, readCapture("claude", "cutoff-partial")).flatMap(
      (line) => line.events,
    );
    expect(
      events.flatMap((event) => (event.type === "agent" || event.type === "error" ? [event.type] : [])),
    ).toEqual(["agent", "error", "error"]);
  });

  it("become one message when the whole message follows", () => {
    const { of } = translateRun(claude, [
      init,
      start,
      piece("All "),
      piece("of it"),
      text("All of it"),
      success,
    ]);
    expect(of("agent").map((event) => event.message)).toEqual(["All of it"]);
  });

  it("are not the answer when another try gave one", () => {
    expect(captured("cutoff-partial-once", "agent").map((event) => event.message)).toEqual([
      "Recovered after the cut.",
    ]);
  });

  it("are not a message when they are blank", () => {
    expect(translateRun(claude, [init, start, piece(" \n")]).of("agent")).toEqual([]);
  });
});

describe("a step of Claude Code", () => {
  it("has the tokens of its start and of its end, whichever reports them", () => {
    const counts = { input_tokens: 10, cache_read_input_tokens: 3, cache_creation_input_tokens: 2 };
    const begin = partial({
      type: "message_start",
      message: { id: "m1", usage: { ...counts, output_tokens: 1 } },
    });
    for (const usage of [{ output_tokens: 7 }, { input_tokens: 0, output_tokens: 7 }]) {
      const end = [partial({ type: "message_delta", usage }), partial({ type: "message_stop" })];
      const [step] = translateRun(claude, [init, begin, ...end, success]).of("usage");
      expect(step).toMatchObject({
        inputTokens: 10,
        cacheReadTokens: 3,
        cacheWriteTokens: 2,
        outputTokens: 7,
        totalTokens: 22,
        scope: "step",
      });
    }
  });
});

describe("the reason that a result of Claude Code gives", () => {
  it("is the interruption, not its own diagnostics", () => {
    const [result] = captured("killed-int", "result");
    expect(result?.failure).toMatchObject({
      kind: "cancelled",
      message: "Request interrupted by user for tool use",
    });
  });

  it.each([
    ["aborted_streaming", "cancelled"],
    ["prompt_too_long", "context_overflow"],
    ["rapid_refill_breaker", "context_overflow"],
    ["blocking_limit", "context_overflow"],
    ["max_turns", "max_turns"],
    ["constructor", "unknown"],
  ])("%s is %s", (terminal_reason, kind) => {
    const failed = {
      type: "result",
      subtype: "success",
      is_error: true,
      result: "It ended.",
      terminal_reason,
    };
    expect(translateRun(claude, [init, failed]).result.failure).toMatchObject({ kind, message: "It ended." });
  });

  it("says so when there is none", () => {
    const { result } = translateRun(claude, [init, { type: "result", is_error: true }]);
    expect(result.failure?.message).toBe("the run failed: no reason given");
  });
});
