import { describe, expect, it } from "vitest";
import { codex } from "../../src/agents/codex/definition.js";
import { translateRun } from "../support/translated-run.js";
import { unified } from "../support/unified.js";

describe("the lines of Codex", () => {
  const thread = { type: "thread.started", thread_id: "th-123" };
  const completed = (fields: object) => ({ type: "item.completed", item: { id: "item_1", ...fields } });
  const run = (exit_code: number) =>
    completed({
      type: "command_execution",
      command: "make",
      aggregated_output: "out\n",
      exit_code,
      status: "completed",
    });
  const done = {
    type: "turn.completed",
    usage: { input_tokens: 8587, cached_input_tokens: 7808, output_tokens: 24 },
  };

  it("says who it is, and is known by the run's id when it does not", () => {
    expect(unified(codex, [thread])[0]).toMatchObject({ session_id: "th-123", agent: "codex" });
    expect(unified(codex, [{ type: "thread.started", model: "gpt-5" }])[0]).toMatchObject({
      session_id: "run",
    });
  });

  it("emits its message once, and no empty one", () => {
    const messages = translateRun(codex, [
      thread,
      completed({ type: "agent_message", text: "Hello!" }),
      completed({ type: "agent_message", text: "" }),
      done,
    ]);
    expect(messages.of("agent").map(({ message }) => message)).toEqual(["Hello!"]);
  });

  it("reports a command when it begins, without its wrapper, and how it ended", () => {
    const started = {
      type: "item.started",
      item: { id: "item_1", type: "command_execution", command: "/bin/bash -lc 'make'", exit_code: null },
    };
    const told = translateRun(codex, [thread, started, run(0), done]);
    expect(told.of("tool_start")).toHaveLength(1);
    expect(told.of("tool_end")).toMatchObject([{ callId: "item_1", isSuccess: true, output: "out\n" }]);
    expect(told.of("command")).toMatchObject([{ command: "make", exitCode: 0, isSuccess: true }]);
  });

  it("takes the exit code before the status", () => {
    expect(translateRun(codex, [thread, run(1), done]).of("command")).toMatchObject([
      { exitCode: 1, isSuccess: false },
    ]);
  });

  it("counts cached tokens once", () => {
    const told = translateRun(codex, [thread, done]);
    expect(told.of("usage")).toMatchObject([
      { inputTokens: 779, cacheReadTokens: 7808, outputTokens: 24, totalTokens: 8611 },
    ]);
    expect(told.result.isSuccess).toBe(true);
  });

  it("names every file of a change", () => {
    const changes = [
      { path: "/repo/a.rs", kind: "add" },
      { path: "/repo/b.rs", kind: "update" },
    ];
    const told = translateRun(codex, [
      thread,
      completed({ type: "file_change", changes, status: "completed" }),
      done,
    ]);
    expect(told.of("write").map(({ path }) => path)).toEqual(["/repo/a.rs", "/repo/b.rs"]);
    expect(told.of("tool_end")).toMatchObject([{ isSuccess: true }]);
  });

  it.each([
    ["an object, as it is printed", { message: "rate limit exceeded" }],
    ["a text, as older versions had it", "rate limit exceeded"],
  ])("fails with the turn, whose error is %s", (_title, error) => {
    const told = translateRun(codex, [thread, { type: "turn.failed", error }]);
    expect(told.result).toMatchObject({ isSuccess: false, failure: { kind: "rate_limit" } });
    expect(told.of("error").filter(({ message }) => message.includes("rate limit exceeded"))).toHaveLength(1);
  });

  it("reports an error without a failed turn", () => {
    const told = translateRun(codex, [
      thread,
      { type: "error", message: "rate limit exceeded", code: "rate_limit" },
    ]);
    expect(
      told
        .of("error")
        .map(({ message }) => message)
        .join(),
    ).toContain("rate limit exceeded");
    expect(told.result.isSuccess).toBe(false);
  });

  it("shows its reasoning as thinking, not as an answer", () => {
    const told = translateRun(codex, [thread, completed({ type: "reasoning", text: "thinking..." }), done]);
    expect(told.of("thinking")).toMatchObject([{ message: "thinking..." }]);
    expect(told.of("agent")).toEqual([]);
  });

  it("keeps records of versions long gone as unknown: none is lost, and none makes a success", () => {
    const legacy = [
      { type: "item.created", item: { type: "message", role: "assistant", content: [{ text: "Hello" }] } },
      { type: "thread.completed", thread_id: "th-123", summary: "All done", duration_ms: 5000 },
    ];
    const told = translateRun(codex, legacy);
    expect(told.of("unknown").map(({ raw }) => raw)).toEqual(legacy);
    expect(told.result.isSuccess).toBe(false);
  });
});
