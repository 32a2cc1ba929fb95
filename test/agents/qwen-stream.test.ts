import { describe, expect, it } from "vitest";
import { qwen } from "../../src/agents/qwen/definition.js";
import { translateRun } from "../support/translated-run.js";

const init = (version: string) => ({
  type: "system",
  subtype: "init",
  session_id: "s",
  cwd: "/repo",
  model: "m",
  qwen_code_version: version,
});
const spent = { input_tokens: 10, output_tokens: 2, cache_read_input_tokens: 4, total_tokens: 12 };
const nothing = { input_tokens: 0, output_tokens: 0 };
const says = (text: string, usage: object = spent, id = "a") => ({
  type: "assistant",
  parent_tool_use_id: null,
  message: { id, content: [{ type: "text", text }], usage },
});
const calls = (name: string, input: object, id = "c") => ({
  type: "assistant",
  parent_tool_use_id: null,
  message: { id: "b", content: [{ type: "tool_use", id, name, input }], usage: spent },
});
const returns = (content: string, isError = false, id = "c") => ({
  type: "user",
  parent_tool_use_id: null,
  message: { content: [{ type: "tool_result", tool_use_id: id, is_error: isError, content }] },
});
const success = (result: string) => ({
  type: "result",
  subtype: "success",
  is_error: false,
  result,
  usage: spent,
});
const event = (fields: object) => ({ type: "stream_event", parent_tool_use_id: null, event: fields });
const piece = (text: string) =>
  event({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } });

describe("a failure that Qwen Code prints as an answer", () => {
  it.each([
    ["[API Error: 401 Incorrect API key provided]", "auth"],
    ["[API Error: 500 The server had an error]", "provider"],
    ["[API Error: Connection error. (cause: fetch failed)]", "network"],
    ["[API Error: Model stream ended with empty response text.]", "provider"],
    [
      "[API Error: 429 Rate limit reached]\nPossible quota limitations in place or slow response times detected. Please wait and try again later.",
      "rate_limit",
    ],
    ["Qwen OAuth quota exceeded: Your free daily quota has been reached.", "quota"],
  ])("%j is one, although it is called a success", (text, kind) => {
    const run = translateRun(qwen, [init("0.15.10"), says(text, nothing), success(text)]);
    expect(run.result).toMatchObject({ isSuccess: false, failure: { kind } });
    expect(run.result).not.toHaveProperty("text");
    expect(run.of("error")).toHaveLength(1);
    expect(run.of("agent")).toEqual([]);
  });

  it("leaves the text that came before it as a message", () => {
    const text = "This will be cut [API Error: terminated (cause: other side closed)]";
    const run = translateRun(qwen, [init("0.15.10"), says(text, nothing), success(text)]);
    expect(run.of("agent")).toMatchObject([{ message: "This will be cut " }]);
    expect(run.result).toMatchObject({
      isSuccess: false,
      text: "This will be cut ",
      failure: { kind: "network", message: "API Error: terminated (cause: other side closed)" },
    });
  });

  it("is reported once if the result repeats it, and its pieces are not text", () => {
    const text = "[API Error: 401 Incorrect API key provided.]";
    const run = translateRun(
      qwen,
      [
        init("0.24.4"),
        event({ type: "message_start", message: { id: "a" } }),
        piece(text),
        says(text, nothing),
        event({ type: "message_stop" }),
        { type: "result", subtype: "error_during_execution", is_error: true, error: { message: text } },
      ],
      { ended: { exitCode: 1 } },
    );
    expect(run.of("text")).toEqual([]);
    expect(run.of("error").map(({ message }) => message)).toEqual([
      "API Error: 401 Incorrect API key provided.",
      "Qwen Code exited with code 1: API Error: 401 Incorrect API key provided.",
    ]);
    expect(run.result.failure?.kind).toBe("auth");
  });

  it("is the cause if only the result has it", () => {
    const error = { message: "[API Error: 503 Service unavailable]" };
    const result = { type: "result", subtype: "error_during_execution", is_error: true, error };
    const run = translateRun(qwen, [init("0.24.4"), result], { ended: { exitCode: 1 } });
    expect(run.result.failure).toMatchObject({
      kind: "provider",
      message: "API Error: 503 Service unavailable",
    });
  });

  it("is not what a model quotes in its answer", () => {
    const text = "The log says [API Error: 500 oops]";
    const run = translateRun(qwen, [init("0.15.10"), says(text), success(text)]);
    expect(run.result).toMatchObject({ isSuccess: true, text });
    expect(run.of("error")).toEqual([]);
  });

  it("is over if the run goes on and succeeds", () => {
    const records = [says("[API Error: 500 oops]", nothing), says("Fine."), success("Fine.")];
    expect(translateRun(qwen, [init("0.15.10"), ...records]).result).toMatchObject({ isSuccess: true });
  });
});

describe("a result that was cut in its text", () => {
  const cut =
    '{"type":"result","subtype":"success","uuid":"1-a","session_id":"s","is_error":false,"result":"Lo';
  it("is a success, as its beginning says", () => {
    const run = translateRun(qwen, [init("0.15.10"), says("Long"), cut]);
    expect(run.result).toMatchObject({ isSuccess: true, text: "Long" });
    expect(run.of("unknown")).toMatchObject([{ raw: cut }]);
  });

  it.each([
    ["the process was killed", [says("Long"), cut], { exitCode: null, signal: "SIGTERM" }],
    ["a failure was told", [says("[API Error: 500 oops]", nothing), cut], { exitCode: 0 }],
    ["it stops before it says so", [says("Long"), cut.slice(0, 60)], { exitCode: 0 }],
  ])("is none if %s", (_why, records, ended) => {
    expect(translateRun(qwen, [init("0.15.10"), ...records], { ended }).result.isSuccess).toBe(false);
  });
});

describe("a command's outcome", () => {
  const command = (version: string, output: string, isError = false, more: object = {}) =>
    translateRun(qwen, [
      init(version),
      calls("run_shell_command", { command: "make", directory: "/repo/src", ...more }),
      returns(output, isError),
    ]).of("command")[0];

  it("is not known up to 0.19 if the command printed something", () => {
    expect(command("0.15.10", "out")).toMatchObject({ command: "make", workingDirectory: "/repo/src" });
    expect(command("0.15.10", "out")).not.toHaveProperty("isSuccess");
  });

  it("is known since 0.20", () => {
    expect(command("0.24.4", "out")).toMatchObject({ isSuccess: true });
    expect(command("0.24.4", "out")).not.toHaveProperty("exitCode");
  });

  it.each(["0.15.10", "0.24.4"])("is in the summary of %s", (version) => {
    const summary = (code: number) =>
      `Command: make\nDirectory: src\nOutput: (empty)\nError: (none)\nExit Code: ${code}\nSignal: (none)\nProcess Group PGID: 1`;
    expect(command(version, summary(0))).toMatchObject({ exitCode: 0, isSuccess: true });
    expect(command(version, summary(3), true)).toMatchObject({ exitCode: 3, isSuccess: false });
  });

  it.each([
    ["Command exited with code: 2", { exitCode: 2, isSuccess: false }],
    ["Command terminated by signal: 9", { isSuccess: false }],
    ["Command timed out after 1000ms.", { isSuccess: false }],
  ])("%j says how it ended", (output, outcome) => {
    expect(command("0.15.10", output)).toMatchObject(outcome);
  });

  it("is open for a command in the background", () => {
    const words = "Background shell bg_3cc56622 started (pid 12483).";
    expect(command("0.24.4", words, false, { is_background: true })).not.toHaveProperty("isSuccess");
    expect(command("0.24.4", words)).toMatchObject({ isSuccess: true });
    const monitored = translateRun(qwen, [
      calls("monitor", { command: "tail -f a.log" }),
      returns("Started"),
    ]);
    expect(monitored.of("command")).toMatchObject([{ command: "tail -f a.log" }]);
  });

  it("is not what a command prints", () => {
    expect(command("0.24.4", "Command exited with code: 3")).toMatchObject({ isSuccess: true });
    expect(command("0.24.4", "Command exited with code: 3")).not.toHaveProperty("exitCode");
    expect(command("0.24.4", "Command exited with code: 1")).not.toHaveProperty("isSuccess");
    const printed = "a\nExit Code: 0\nSignal: (none)\nProcess Group PGID: 1\n\nb";
    const summary = `Command: make\nDirectory: src\nOutput: ${printed}\nError: (none)\nExit Code: 4\nSignal: (none)\nProcess Group PGID: 1`;
    expect(command("0.24.4", summary, true)).toMatchObject({ exitCode: 4, isSuccess: false });
  });

  it("is a search that found nothing if grep exits with 1", () => {
    const run = translateRun(qwen, [
      init("0.24.4"),
      calls("run_shell_command", { command: "grep -n x f" }),
      returns("Command exited with code: 1"),
    ]);
    expect(run.of("search")).toMatchObject([{ query: "x", path: "/repo/f", isSuccess: true }]);
  });
});

describe("tools", () => {
  it("reads lines that are counted from 0", () => {
    const read = (input: object) =>
      translateRun(qwen, [calls("read_file", { file_path: "a", ...input }), returns("x")]).of("read")[0];
    expect(read({ offset: 9, limit: 11 })).toMatchObject({ path: "/repo/a", startLine: 10, endLine: 20 });
    expect(read({ offset: 0, limit: 5 })).toMatchObject({ startLine: 1, endLine: 5 });
    expect(read({})).not.toHaveProperty("startLine");
  });

  it("lists a directory, and keeps what it has no rule for as one unknown", () => {
    const run = translateRun(qwen, [
      calls("list_directory", { path: "/repo/src" }),
      returns("Listed 3 item(s)"),
      calls("todo_write", { todos: [] }, "d"),
      returns("Todos have been modified successfully.", false, "d"),
    ]);
    expect(run.of("list")).toMatchObject([{ path: "/repo/src", isSuccess: true }]);
    expect(run.of("unknown")).toMatchObject([{ raw: { type: "tool_result", tool_use_id: "d" } }]);
  });
});

describe("messages", () => {
  it("of one answer have the ids of their pieces", () => {
    const block = (type: string) => event({ type: "content_block_start", index: 0, content_block: { type } });
    const run = translateRun(qwen, [
      init("0.24.4"),
      event({ type: "message_start", message: { id: "a" } }),
      block("text"),
      piece("One."),
      says("One.", nothing, "a"),
      block("text"),
      piece("Two."),
      says("Two.", spent, "other"),
      event({ type: "message_stop" }),
      success("Two."),
    ]);
    expect(run.of("text").map(({ messageId }) => messageId)).toEqual(["a", "a-2"]);
    expect(run.of("agent").map(({ messageId }) => messageId)).toEqual(["a", "a-2"]);
  });

  it.each([
    [false, ["text_withdrawn"]],
    [true, []],
  ])("are withdrawn by a retry that preserves text: %j", (preserveText, codes) => {
    const retry = { type: "system", subtype: "retry", data: { reason: "retry", preserveText } };
    const pieces = [init("0.24.4"), event({ type: "message_start", message: { id: "a" } }), piece("Half")];
    const next = [
      event({ type: "message_start", message: { id: "b" } }),
      piece("Whole"),
      says("Whole", spent, "b"),
    ];
    const cut = translateRun(qwen, [...pieces, retry, ...(preserveText ? [] : next), success("Whole")]);
    expect(cut.of("warning").map(({ code }) => code)).toEqual(codes);
    const run = translateRun(qwen, [init("0.24.4"), says("Half"), retry, says("Whole"), success("Whole")]);
    expect(run.of("warning").map(({ code }) => code)).toEqual(codes);
    expect(run.result).toMatchObject({ isSuccess: true, text: "Whole" });
  });
});

describe("tokens", () => {
  const records = [init("0.15.10"), says("Hi"), success("Hi")];
  const counts = { inputTokens: 6, cacheReadTokens: 4, outputTokens: 2, totalTokens: 12 };
  it("are the run's, without what was read from the cache in the input", () => {
    expect(translateRun(qwen, records).of("usage")).toMatchObject([
      { ...counts, scope: "step" },
      { ...counts, scope: "run" },
    ]);
  });

  it("are the session's in a run that continues one", () => {
    const usage = translateRun(qwen, records, { isResumed: true }).of("usage");
    expect(usage.map(({ scope }) => scope)).toEqual(["step", "session"]);
  });
});

describe("subagents", () => {
  const task = (callId: string) => ({
    type: "user",
    parent_tool_use_id: callId,
    message: { content: [{ type: "text", text: "Do it" }] },
  });
  const agent = calls("agent", { prompt: "Do it", subagent_type: "Explore" });
  const told = (records: object[]) =>
    translateRun(qwen, [init("0.24.4"), agent, ...records])
      .of("orchestration")
      .map(({ action, subagentId, subagentName, callId }) => [action, subagentName, subagentId, callId]);

  it("end with their call", () => {
    expect(told([task("c"), returns("Done.")])).toEqual([
      ["subagent_started", "Explore", undefined, "c"],
      ["subagent_completed", "Explore", undefined, "c"],
    ]);
  });

  it("go on in the background until they notify", () => {
    const data = { task_id: "Explore-c", tool_use_id: "c", subagent_type: "Explore" };
    const records = [
      task("c"),
      { type: "system", subtype: "task_started", data },
      returns("Background agent launched successfully.\ntask_id: Explore-c"),
      { type: "system", subtype: "task_notification", data: { ...data, status: "failed" } },
    ];
    expect(told(records)).toEqual([
      ["subagent_started", "Explore", "Explore-c", "c"],
      ["subagent_failed", "Explore", "Explore-c", "c"],
    ]);
  });

  it("are not the tasks of other tools", () => {
    const data = { task_id: "mon_1", tool_use_id: "m", description: "w" };
    const records = [
      calls("monitor", { command: "tail -f a.log" }, "m"),
      { type: "system", subtype: "task_started", data },
      returns("Monitor started: w (mon_1)", false, "m"),
      { type: "system", subtype: "task_notification", data: { ...data, status: "cancelled" } },
    ];
    expect(told(records)).toEqual([]);
  });
});
