import { describe, expect, it } from "vitest";
import { grok } from "../../src/agents/grok/definition.js";
import { translateRun } from "../support/translated-run.js";

const spent = {
  input_tokens: 6,
  output_tokens: 2,
  cache_read_input_tokens: 4,
  cache_creation_input_tokens: 0,
};
const init = { type: "system", subtype: "init", session_id: "s", cwd: "/repo", model: "m" };
const answer = (id: string, ...content: object[]) => ({
  type: "assistant",
  parent_tool_use_id: null,
  message: { id, content, usage: spent },
});
const text = (words: string) => ({ type: "text", text: words });
const call = (name: string, input: object, id = "c") => ({ type: "tool_use", id, name, input });
const block = (result: object | string, isError = false, id = "c") => ({
  type: "tool_result",
  tool_use_id: id,
  content: typeof result === "string" ? result : JSON.stringify(result),
  is_error: isError,
});
const returns = (...content: object[]) => ({
  type: "user",
  parent_tool_use_id: null,
  message: { role: "user", content },
});
const success = (result: string) => ({
  type: "result",
  subtype: "success",
  is_error: false,
  result,
  stop_reason: "end_turn",
  total_cost_usd: 0,
  usage: spent,
});
const bash = (fields: object) => ({ type: "Bash", output: [104, 105, 10], current_dir: "/repo", ...fields });

describe("a command", () => {
  const ran = (fields: object, isError = false, command = "make") =>
    translateRun(grok, [
      init,
      answer("msg_0", call("run_terminal_command", { command })),
      returns(block(bash(fields), isError)),
    ]);

  it.each([
    [
      { exit_code: 0, signal: null, timed_out: false },
      { exitCode: 0, isSuccess: true },
    ],
    [
      { exit_code: 3, signal: null, timed_out: false },
      { exitCode: 3, isSuccess: false },
    ],
  ])("has the outcome of its exit code: %j", (fields, outcome) => {
    expect(ran(fields).of("command")).toMatchObject([outcome]);
    expect(ran(fields).of("tool_end")).toMatchObject([{ isSuccess: outcome.isSuccess, output: "hi\n" }]);
  });

  it.each([
    [{ exit_code: -1, signal: "signal 9", timed_out: false }, true],
    [{ exit_code: 0, signal: null, timed_out: true }, false],
  ])("that was stopped has failed without an exit code: %j", (fields, isError) => {
    const [command] = ran(fields, isError).of("command");
    expect(command).toMatchObject({ isSuccess: false });
    expect(command).not.toHaveProperty("exitCode");
  });

  it("that runs elsewhere has its directory", () => {
    const elsewhere = { exit_code: 0, current_dir: "/other" };
    expect(ran(elsewhere).of("command")).toMatchObject([{ workingDirectory: "/other" }]);
    expect(ran(elsewhere, false, "cat a.txt").of("read")).toMatchObject([{ path: "/other/a.txt" }]);
  });

  it("in the background has no outcome", () => {
    const run = translateRun(grok, [
      answer("msg_0", call("run_terminal_command", { command: "make", background: true })),
      returns(block({ type: "BackgroundTaskStarted", task_id: "t", summary: "started", status: "running" })),
    ]);
    expect(run.of("tool_end")).toMatchObject([{ isSuccess: true, output: "started" }]);
    expect(run.of("command")[0]).not.toHaveProperty("isSuccess");
  });

  it("that is monitored is told as it is, without an outcome unless it could not be started", () => {
    const monitored = (isError: boolean) =>
      translateRun(grok, [
        answer("msg_0", call("monitor", { command: "tail -f a.log", description: "errors" })),
        returns(block({ type: "Text", text: "monitoring" }, isError)),
      ]);
    expect(monitored(false).of("command")[0]).toMatchObject({ command: "tail -f a.log" });
    expect(monitored(false).of("command")[0]).not.toHaveProperty("isSuccess");
    expect(monitored(true).of("command")).toMatchObject([{ isSuccess: false }]);
    expect(monitored(false).of("unknown")).toEqual([]);
  });
});

describe("a result", () => {
  const returned = (name: string, input: object, result: object | string, isError = false) =>
    translateRun(grok, [init, answer("msg_0", call(name, input)), returns(block(result, isError))]);

  it("of a search tells whether it could be made, by its exit code", () => {
    const search = (exit_code: number) =>
      returned("grep", { pattern: "x" }, { type: "GrepSearch", stdout: [], stderr: [], exit_code });
    expect([0, 1, 2].map((code) => search(code).of("search")[0]?.isSuccess)).toEqual([true, true, false]);
  });

  it("that is an error has its message as output", () => {
    const error = { error: "tool_execution_failed", message: "IO Error: File exists (os error 17)" };
    expect(returned("write", { file_path: "a" }, error, true).of("tool_end")).toMatchObject([
      { isSuccess: false, output: "IO Error: File exists (os error 17)" },
    ]);
  });

  it("names the file that was really read", () => {
    const file = {
      absolute_path: "/real/a.txt",
      content: "1→x",
      raw_output: "x\n",
      offset: 2,
      total_lines: 9,
    };
    const run = returned(
      "read_file",
      { target_file: "a.txt", offset: 2, limit: 3 },
      { type: "ReadFile", FileContent: file },
    );
    expect(run.of("read")).toMatchObject([
      { path: "/real/a.txt", startLine: 2, endLine: 4, isSuccess: true },
    ]);
    expect(run.of("tool_end")).toMatchObject([{ output: "x\n" }]);
  });

  it("of an edit that did not match is a failure", () => {
    const miss = { message: "not found", file_path: "/repo/a.txt" };
    const run = returned(
      "search_replace",
      { file_path: "a.txt", old_string: "x", new_string: "y" },
      { type: "SearchReplace", NoMatchesFound: miss },
      true,
    );
    expect(run.of("write")).toMatchObject([{ path: "/repo/a.txt", isSuccess: false }]);
    expect(run.of("tool_end")).toMatchObject([{ output: "not found" }]);
  });

  it("of an unknown tool is one unknown", () => {
    const words = JSON.stringify([{ type: "content", content: { type: "text", text: "Tool not found" } }]);
    const run = returned("frobnicate", { level: 3 }, words, true);
    expect(run.of("unknown")).toMatchObject([{ raw: { type: "tool_result" } }]);
    expect(run.of("tool_end")).toMatchObject([{ isSuccess: false, output: "Tool not found" }]);
  });
});

describe("partial messages", () => {
  const event = (fields: object) => ({ type: "stream_event", parent_tool_use_id: null, event: fields });
  const streamed = [
    init,
    event({ type: "message_start", message: { id: "msg_0" } }),
    event({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
    event({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Go." } }),
    event({ type: "content_block_stop", index: 0 }),
    event({ type: "content_block_start", index: 1, content_block: { ...call("run_terminal_command", {}) } }),
    event({
      type: "content_block_delta",
      index: 1,
      delta: { type: "input_json_delta", partial_json: '{"command":"make"}' },
    }),
    event({ type: "content_block_stop", index: 1 }),
  ];
  const types = (records: object[]) =>
    translateRun(grok, records)
      .events.map(({ type }) => type)
      .slice(2, -2);

  it("give a call when it starts, after what was said before it", () => {
    expect(types(streamed)).toEqual(["text", "agent", "tool_start", "tool_end", "command", "error"]);
  });

  it("are not repeated by the whole message", () => {
    const whole = answer("msg_0", text("Go."), call("run_terminal_command", { command: "make" }));
    const run = translateRun(grok, [...streamed, whole, returns(block(bash({ exit_code: 0 }))), success("")]);
    expect(run.of("agent")).toHaveLength(1);
    expect(run.of("tool_start")).toHaveLength(1);
    expect(run.of("command")).toMatchObject([{ exitCode: 0 }]);
  });
});

describe("subagents", () => {
  const spawn = (id: string, input: object = { background: false }) =>
    call("spawn_subagent", { prompt: "Do it", ...input }, id);
  const done = (id: string) =>
    block(
      { type: "SubagentCompleted", output: "x", subagent_id: `id-${id}`, subagent_type: "general" },
      false,
      id,
    );
  const speakers = (records: object[]) =>
    translateRun(grok, [init, ...records])
      .of("agent")
      .map(({ message, parentCallId }) => [message, parentCallId]);

  it("speak alone while the main agent waits for one", () => {
    const records = [
      answer("msg_0", text("Main"), spawn("a")),
      answer("msg_1", text("Sub")),
      returns(done("a")),
      answer("msg_2", text("Main again")),
    ];
    expect(speakers(records)).toEqual([
      ["Main", undefined],
      ["Sub", "a"],
      ["Main again", undefined],
    ]);
    expect(translateRun(grok, records).of("orchestration")).toMatchObject([
      { action: "subagent_started", callId: "a" },
      { action: "subagent_completed", callId: "a", subagentId: "id-a", subagentName: "general" },
    ]);
  });

  it("cannot be distinguished if two run at once", () => {
    const records = [
      answer("msg_0", spawn("a"), spawn("b")),
      answer("msg_1", text("Who?")),
      returns(done("a"), done("b")),
      answer("msg_2", spawn("c")),
      answer("msg_3", text("Sub")),
    ];
    expect(speakers(records)).toEqual([
      ["Who?", undefined],
      ["Sub", "c"],
    ]);
    const warnings = translateRun(grok, records).of("warning");
    expect(warnings.map(({ code }) => code)).toEqual(["unattributed"]);
  });

  it("in the background cannot be distinguished until they are reported", () => {
    const started = {
      type: "Text",
      text: "Subagent started in background.\nsubagent_id: id-a\ndescription: d",
    };
    const task = { task_id: "id-a", command: "[subagent:general] d", status: "completed" };
    const records = [
      answer("msg_0", spawn("a", {})),
      returns(block(started, false, "a")),
      answer("msg_1", spawn("b")),
      answer("msg_2", text("Who?")),
      returns(done("b")),
      answer("msg_3", call("get_command_or_subagent_output", { task_ids: ["id-a"] }, "o")),
      returns(block({ type: "TaskOutput", Result: task }, false, "o")),
      answer("msg_4", spawn("d")),
      answer("msg_5", text("Sub")),
    ];
    expect(speakers(records)).toEqual([
      ["Who?", undefined],
      ["Sub", "d"],
    ]);
    const ended = translateRun(grok, records)
      .of("orchestration")
      .filter(({ action }) => action === "subagent_completed");
    expect(ended.map(({ subagentId }) => subagentId)).toEqual(["id-b", "id-a"]);
  });
});

describe("the end of a run", () => {
  const failed = (errors: string[], fields: object = {}) => ({
    type: "result",
    subtype: "error_during_execution",
    is_error: true,
    stop_reason: null,
    errors,
    ...fields,
  });

  it("is in the errors of its result, without their wrapping", () => {
    const words = `Internal error: ${JSON.stringify("Unauthorized (401) from http://x: Incorrect API key")}`;
    const run = translateRun(grok, [init, failed([words])], { ended: { exitCode: 1 } });
    expect(run.result.failure).toMatchObject({
      kind: "auth",
      message: "Unauthorized (401) from http://x: Incorrect API key",
    });
  });

  it("has the kind of Grok's own code", () => {
    const words = `Internal error: ${JSON.stringify({ message: "cut", error_kind: "max_tokens_truncation" })}`;
    expect(translateRun(grok, [failed([words])]).result.failure).toMatchObject({
      kind: "output_limit",
      message: "cut",
    });
  });

  it("is a missing permission if a call was denied, although the exit code is 0", () => {
    const words = JSON.stringify([
      { type: "content", content: { type: "text", text: "User cancelled the execution for tool `write`" } },
    ]);
    const run = translateRun(grok, [
      answer("msg_0", call("write", { file_path: "a" })),
      returns(block(words, true)),
      failed(["cancelled"], { stop_reason: "cancelled" }),
    ]);
    expect(run.result).toMatchObject({ isSuccess: false, failure: { kind: "permission" } });
  });

  it("counts the run's tokens, also in a session that is continued", () => {
    const usage = translateRun(grok, [init, success("Hi")], { isResumed: true }).of("usage");
    expect(usage).toMatchObject([{ inputTokens: 6, cacheReadTokens: 4, outputTokens: 2, scope: "run" }]);
  });
});

describe("streaming-json", () => {
  it("is recognised by its records", () => {
    const run = translateRun(grok, [
      { type: "available_commands", tools: [] },
      { type: "thought", data: "Hm" },
      { type: "text", data: "Read" },
      { type: "text", data: "ing." },
      { type: "usage", usage: { ...spent, reasoning_tokens: 1 } },
      { type: "tool_call", toolCallId: "c", toolName: "read_file", rawInput: { target_file: "a" } },
      { type: "tool_call_update", toolCallId: "c", status: null, rawOutput: null },
      { type: "tool_call_update", toolCallId: "c", status: "completed", rawOutput: { type: "ReadFile" } },
      { type: "end", stopReason: "end_turn", sessionId: "s", usage: spent },
    ]);
    expect(run.of("thinking")).toMatchObject([{ delta: "Hm" }]);
    expect(run.of("agent")).toMatchObject([{ message: "Reading." }]);
    expect(run.of("read")).toMatchObject([{ path: "/repo/a", isSuccess: true }]);
    expect(run.of("usage")).toMatchObject([{ reasoningTokens: 1, scope: "step" }, { scope: "run" }]);
    expect(run.result).toMatchObject({ isSuccess: true, sessionId: "s", text: "Reading." });
  });

  it("does not take the exit code of a command that still runs", () => {
    const command = { toolCallId: "c", toolName: "run_terminal_command", rawInput: { command: "make" } };
    const run = translateRun(grok, [
      { type: "tool_call", ...command },
      { type: "tool_call_update", toolCallId: "c", status: "in_progress", rawOutput: bash({ exit_code: 0 }) },
      { type: "tool_call_update", toolCallId: "c", status: "completed", rawOutput: bash({ exit_code: 3 }) },
    ]);
    expect(run.of("command")).toMatchObject([{ exitCode: 3, isSuccess: false }]);
  });

  it.each([
    [{ type: "error", message: 'Internal error: "Unauthorized (401) from http://x: no"' }, "auth"],
    [{ type: "max_turns_reached" }, "max_turns"],
    [{ type: "end", stopReason: "max_tokens" }, "output_limit"],
    [{ type: "end", stopReason: "refusal" }, "refusal"],
  ])("has failed after %j", (record, kind) => {
    const run = translateRun(grok, [record]);
    expect(run.result).toMatchObject({ isSuccess: false, failure: { kind } });
    expect(run.of("error")).toHaveLength(1);
  });
});
