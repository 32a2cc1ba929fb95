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

  it("keeps what no version is known to print as unknown", () => {
    const odd = { type: "thread.paused", thread_id: "th-123" };
    const told = translateRun(codex, [thread, odd, done]);
    expect(told.of("unknown").map(({ raw }) => raw)).toEqual([odd]);
  });
});

describe("the lines of older versions of Codex", () => {
  const thread = { type: "thread.started", thread_id: "th-123" };
  const end = { type: "thread.completed", thread_id: "th-123", summary: "All done", duration_ms: 5000 };

  it("create an item when it is done, and complete the thread at the end", () => {
    const told = translateRun(codex, [
      thread,
      { type: "item.created", item: { type: "message", role: "user", content: [{ text: "Say hello" }] } },
      { type: "item.created", item: { type: "message", role: "assistant", content: [{ text: "Hello" }] } },
      {
        type: "item.created",
        item: { id: "i1", type: "command_execution", command: "ls src", exit_code: 0 },
      },
      end,
    ]);
    expect(told.of("agent")).toMatchObject([{ message: "Say hello", role: "user" }, { message: "Hello" }]);
    expect(told.of("list")).toMatchObject([{ path: "src", isSuccess: true }]);
    expect(told.of("unknown")).toEqual([]);
    expect(told.result).toMatchObject({ isSuccess: true, text: "Hello", durationMs: 5000, line: 5 });
  });

  it("say the answer at the end if nothing else did", () => {
    const told = translateRun(codex, [thread, end]);
    expect(told.of("agent")).toMatchObject([{ message: "All done", line: 2 }]);
    expect(told.result).toMatchObject({ isSuccess: true, text: "All done" });
  });

  it("create an item that is still at work: it completes later", () => {
    const item = { id: "i1", type: "command_execution", command: "make" };
    const told = translateRun(codex, [
      thread,
      { type: "item.created", item: { ...item, status: "in_progress" } },
      { type: "item.completed", item: { ...item, status: "completed", exit_code: 0 } },
      end,
    ]);
    expect(told.of("tool_start")).toHaveLength(1);
    expect(told.of("command")).toMatchObject([{ command: "make", exitCode: 0, line: 3 }]);
  });

  it("name the type of an item `item_type`, and a message of the assistant so", () => {
    const command = { id: "i1", item_type: "command_execution", command: "bash -lc 'cat note.txt'" };
    const told = translateRun(codex, [
      { type: "session.created", session_id: "th-9" },
      { type: "item.started", item: { ...command, aggregated_output: "", status: "in_progress" } },
      {
        type: "item.completed",
        item: { ...command, aggregated_output: "PING\n", exit_code: 0, status: "completed" },
      },
      { type: "item.completed", item: { item_type: "command_execution", command: "make", exit_code: 2 } },
      { type: "item.completed", item: { id: "i2", item_type: "assistant_message", text: "Done." } },
      { type: "turn.completed", usage: { input_tokens: 10, output_tokens: 2 } },
    ]);
    expect(told.events.at(-1)?.sessionId).toBe("th-9");
    expect(told.of("read")).toMatchObject([{ path: "note.txt", isSuccess: true }]);
    expect(told.of("command")).toMatchObject([{ command: "make", exitCode: 2, isSuccess: false }]);
    expect(told.of("unknown")).toEqual([]);
    expect(told.result).toMatchObject({ isSuccess: true, text: "Done." });
  });

  it("resume a thread under its id", () => {
    const told = translateRun(codex, [{ type: "thread.resumed", thread_id: "th-7" }, end]);
    expect(told.of("session")).toMatchObject([{ sessionId: "th-7" }]);
  });

  it("do not turn a failed turn into a success", () => {
    const told = translateRun(codex, [thread, { type: "turn.failed", error: { message: "boom" } }, end]);
    expect(told.result).toMatchObject({ isSuccess: false, failure: { message: "boom" } });
  });
});

describe("a turn of Codex that is completed", () => {
  const thread = { type: "thread.started", thread_id: "th-123" };
  const usage = { input_tokens: 10, output_tokens: 2 };

  it.each([
    ["unknown", "boom", { status: "failed", error: { message: "boom" } }],
    ["unknown", "the turn ended as failed", { status: "failed" }],
    [
      "rate_limit",
      "rate limit exceeded",
      { turn: { status: "failed", error: { message: "rate limit exceeded" } } },
    ],
    ["cancelled", "the turn ended as interrupted", { turn: { status: "interrupted" } }],
    ["unknown", "boom", { error: { message: "boom" } }],
  ])("has failed if its status says so: %s, %s", (kind, message, fields) => {
    const told = translateRun(codex, [thread, { type: "turn.completed", usage, ...fields }]);
    expect(told.result).toMatchObject({ isSuccess: false, failure: { kind, message } });
    expect(told.of("error")).toMatchObject([{ message, line: 2 }]);
    expect(told.of("usage")).toHaveLength(1);
  });

  it.each([
    {},
    { status: "completed" },
    { status: "completed", error: null },
    { turn: { status: "completed" } },
  ])("has succeeded otherwise: %j", (fields) => {
    const told = translateRun(codex, [thread, { type: "turn.completed", usage, ...fields }]);
    expect(told.result.isSuccess).toBe(true);
  });
});
