import { describe, expect, it } from "vitest";
import { claude } from "../../src/agents/claude/definition.js";
import { codex } from "../../src/agents/codex/definition.js";
import { copilot } from "../../src/agents/copilot/definition.js";
import { cursor } from "../../src/agents/cursor/definition.js";
import { droid } from "../../src/agents/droid/definition.js";
import { createFramedTranslator } from "../../src/agents/frame/frame.js";
import { grok } from "../../src/agents/grok/definition.js";
import { kimi } from "../../src/agents/kimi/definition.js";
import { opencode } from "../../src/agents/opencode/definition.js";
import { qwen } from "../../src/agents/qwen/definition.js";
import { formatEvents } from "../../src/outputs/format-events.js";
import { translateRun } from "../support/translated-run.js";

describe("any agent", () => {
  it.each([claude, codex, opencode, cursor, qwen, copilot, grok, droid, kimi])(
    "$id: garbage is kept, and is no success",
    (agent) => {
      const lines = [
        '{"type":"result","subtype":"su',
        "foo\0bar",
        "UmFuZG9t/+==",
        "x".repeat(1 << 20),
        "[]",
        "null",
      ];
      const told = translateRun(agent, lines);
      expect(told.of("unknown").length + told.of("warning").length).toBeGreaterThanOrEqual(lines.length);
      expect(told.result.isSuccess).toBe(false);
    },
  );

  it("is told the first to the last item in order, each with a time", () => {
    const events = translateRun(codex, [
      { type: "thread.started", thread_id: "t" },
      { type: "item.completed", item: { id: "1", type: "agent_message", text: "Hello" } },
      { type: "turn.completed", usage: { input_tokens: 1, output_tokens: 1 } },
    ]).events;
    const items = [...formatEvents("ndjson", events)];
    expect(items.map(({ type }) => type)).toEqual(["SessionStart", "Message", "Result"]);
    expect(items.every(({ timestamp_ms }) => timestamp_ms > 0)).toBe(true);
    expect(items.at(-1)).toMatchObject({ text: "Hello", duration_ms: expect.any(Number) });
  });

  it("is told a call that never ended, without an outcome", () => {
    const item = { id: "1", type: "command_execution", command: "make", exit_code: null };
    const told = translateRun(codex, [
      { type: "thread.started", thread_id: "t" },
      { type: "item.started", item },
    ]);
    expect(told.of("tool_start")).toHaveLength(1);
    expect(told.of("tool_end").map(({ isSuccess }) => isSuccess)).toEqual([undefined]);
    expect(told.of("command")).toMatchObject([{ command: "make" }]);
  });

  it("has the observed duration when the agent tells none", () => {
    const translator = createFramedTranslator(codex, { runId: "run", cwd: "/repo" });
    translator.start("2026-01-01T00:00:05.000Z");
    translator.line('{"type":"turn.completed"}', "2026-01-01T00:00:07.000Z");
    const events = translator.end({ exitCode: 0 }, "2026-01-01T00:00:08.000Z");
    expect(events.find(({ type }) => type === "result")).toMatchObject({ durationMs: 3000 });
  });
});
