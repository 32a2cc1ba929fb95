import { describe, expect, it } from "vitest";
import { createFramedTranslator } from "../../src/agents/frame/frame.js";
import { kimi } from "../../src/agents/kimi/definition.js";
import type { EventOf } from "../../src/events/event.js";
import { readCapture } from "../support/captures.js";
import { translateRun } from "../support/translated-run.js";

const linesOf = (scenario: string) => readCapture("kimi", scenario).stdout;
const call = (name: string, input: object | string, id = "1") => ({
  role: "assistant",
  tool_calls: [
    {
      type: "function",
      id,
      function: { name, arguments: typeof input === "string" ? input : JSON.stringify(input) },
    },
  ],
});
const result = (content: string, id = "1") => ({ role: "tool", tool_call_id: id, content });
/** The beginning and the end of an output that was cut, as 2.1.0 prints them. */
const cut = "Tool output exceeded 50000 characters; the full output was saved to a file.\ntool_name: Bash\n";
const where =
  'task_id: bash-x8iproko\noutput_size_bytes: 108894\nnext_step: Use TaskOutput(task_id="bash-x8iproko") to query the task output.';
const hint = { role: "meta", type: "session.resume_hint", session_id: "session_1" };

describe("a session of Kimi", () => {
  it("is named by the last record only", () => {
    const told = translateRun(kimi, linesOf("2.1.0-text"));
    expect(told.of("agent")[0]?.sessionId).toBeUndefined();
    expect(told.result.sessionId).toBe("session_6d191c52-76d3-42df-bd8f-fd221fa47851");
  });

  it("that is resumed is known from the first event", () => {
    const sessionId = "session_f7669086-3f3f-4ef9-82fe-63e971e0d17c";
    const told = translateRun(kimi, linesOf("2.1.0-resume"), { isResumed: true, sessionId });
    expect(new Set(told.events.map((event) => event.sessionId))).toEqual(new Set([sessionId]));
  });

  it("reports the version of the program", () => {
    const translator = createFramedTranslator(kimi);
    for (const line of linesOf("2.1.0-text")) translator.line(line);
    expect(translator.agentVersion).toBe("2.1.0");
  });
});

describe("the end of a run of Kimi", () => {
  it("is no success without the hint that ends it, though the exit code is 0", () => {
    const { result: end } = translateRun(kimi, linesOf("2.1.0-text").slice(0, -1));
    expect(end).toMatchObject({ isSuccess: false, text: expect.stringContaining("Hello") });
  });

  it.each([
    ["provider.auth_error: 401 Incorrect API key provided: sk-test.", "auth"],
    ["provider.rate_limit: 429 Too fast.", "rate_limit"],
    ["context.overflow: The conversation does not fit.", "context_overflow"],
    ["loop.max_steps_exceeded: Too many steps.", "max_turns"],
    ['Model "nonsense" is not configured in config.toml.', "config"],
    ['Session "session_1" not found.', "config"],
    ["Provider safety policy blocked the response.", "refusal"],
    ["provider.api_error: 402 Payment required", "quota"],
    ["provider.auth_error: the token was not accepted", "auth"],
    [
      "compaction.failed: APIContextOverflowError: 400 This model maximum context length is 8192 tokens.",
      "context_overflow",
    ],
  ])("has the cause that standard error tells: %s is %s", (words, kind) => {
    const end = endOf([`error: failed to run prompt: ${words}`, "See log: /home/kimi/kimi-code.log"]);
    expect(end.failure?.kind).toBe(kind);
    expect(words).toContain(end.failure?.message);
  });

  it("has the message that follows a title", () => {
    const end = endOf(["error: Login required", "message:", "It is not possible yet.", "See log: /x"]);
    expect(end.failure).toMatchObject({ kind: "auth", message: "It is not possible yet." });
  });

  it("is a failure when its goal was not reached, though the hint follows", () => {
    const told = translateRun(kimi, linesOf("2.1.0-goalblocked"), { ended: { exitCode: 3 } });
    expect(told.result).toMatchObject({ isSuccess: false, failure: { message: "the goal is blocked" } });
    expect(translateRun(kimi, linesOf("2.1.0-goalcomplete")).result.isSuccess).toBe(true);
  });

  it("is not explained by what its commands printed", () => {
    const end = endOf(["ls: cannot access 'nowhere': No such file or directory"], 143);
    expect(end.failure).toEqual({ kind: "killed", message: "killed by SIGTERM (exit code 143)" });
  });

  it("is a success although a command printed what looks like its error", () => {
    const translator = createFramedTranslator(kimi, { cwd: "/repo" });
    translator.diagnostic("error: failed to run prompt: provider.auth_error: 401 no");
    translator.line(JSON.stringify(hint));
    translator.diagnostic("error: failed to run prompt: provider.auth_error: 401 no");
    expect(translator.end({ exitCode: 0 }).find(({ type }) => type === "result")).toMatchObject({
      isSuccess: true,
    });
  });

  function endOf(stderr: readonly string[], exitCode = 1): EventOf<"result"> {
    const translator = createFramedTranslator(kimi, { cwd: "/repo" });
    for (const line of stderr) translator.diagnostic(line);
    const end = translator.end({ exitCode }).find((event) => event.type === "result");
    if (end === undefined) throw new Error("there is no result");
    return end;
  }
});

describe("calls of Kimi", () => {
  it("that are printed again while they wait start once", () => {
    const told = translateRun(kimi, linesOf("2.1.0-refusedcalls"));
    const ids = told.of("tool_start").map(({ callId }) => callId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(told.of("tool_end")).toHaveLength(ids.length);
  });

  it("that reuse the id of one that has ended are calls of their own", () => {
    const told = translateRun(kimi, [
      call("Read", { path: "a" }),
      result("1\ta"),
      call("Read", { path: "b" }),
      result("1\tb"),
    ]);
    expect(told.of("read").map(({ path }) => path)).toEqual(["/repo/a", "/repo/b"]);
  });

  it.each([
    ["Read", { path: "a" }, "1\ttext", true],
    ["Read", { path: "a" }, '"a" does not exist.', false],
    ["Read", { path: "a" }, '"a" is an image file. Only text files can be read.', false],
    ["Write", { path: "a" }, "Wrote 18 bytes to a", true],
    ["Write", { path: "a" }, "Appended 18 bytes to a", true],
    ["Write", { path: "a" }, "EACCES: permission denied, open '/repo/a'", false],
    ["Edit", { path: "a" }, "Replaced 20 occurrences in a", true],
    ["Edit", { path: "a" }, "old_string is not unique in a (found 2 occurrences).", false],
    ["Grep", { pattern: "x" }, "No matches found", true],
    ["Grep", { pattern: "(" }, "Failed to grep: error: unclosed group", false],
    ["Glob", { pattern: "*" }, "/repo/nowhere does not exist", false],
    ["Skill", { skill: "x" }, 'Skill "x" not found in the current skill listing.', false],
    ["Bash", { command: "make" }, "built\n", true],
    ["Bash", { command: "make" }, "Command executed successfully.", true],
    ["Bash", { command: "make" }, "no rule\nCommand failed with exit code: 2.", false],
    ["Bash", { command: "make" }, "Command killed by timeout (60s)", false],
    ["Bash", { command: "make" }, "Session closed", false],
    ["Bash", { command: "make" }, 'Tool "Bash" was denied by permission rule.', false],
    ["Bash", { command: "make" }, "task_id: bash-1\npid: 7\ndescription: x\nstatus: running", undefined],
    ["Bash", { command: "make" }, 'Tool "x" failed\n', true],
    ["Bash", { command: "make" }, `${cut}20000\n\n\nCommand executed successfully.\n${where}`, true],
    ["Bash", { command: "make" }, `${cut}20000\nCommand failed with exit code: 3.\n\n${where}`, false],
    ["Bash", { command: "make" }, `${cut}20000\n`, undefined],
    [
      "Bash",
      { command: "kill -9 $$" },
      "Process exited with code -1\nCommand failed with exit code: -1.",
      false,
    ],
    ["Bash", { command: "make" }, "description is required when run_in_background is true.", false],
    ["Read", { path: "empty.txt" }, "Tool output is empty.", true],
    ["Edit", { path: "none.md" }, "read failed: path does not exist", false],
    ["Write", { path: "a/b" }, "write failed: a path component is not a directory", false],
    [
      "Write",
      { path: "a" },
      "Plan mode is active. You may only write to the current plan file: /p.md.",
      false,
    ],
    ["Skill", { skill: "x" }, "AgentSwarm must be the only tool call in a model response. Retry.", false],
  ])("%s %j that says %j has the success %s", (name, input, output, isSuccess) => {
    const told = translateRun(kimi, [call(name, input), result(output)]);
    expect(told.of("tool_end")[0]?.isSuccess).toBe(isSuccess);
  });

  it("have an exit code where the output says it, and not where a command prints the same", () => {
    const exitCodeOf = (output: string) =>
      translateRun(kimi, [call("Bash", { command: "make" }), result(output)]).of("command")[0]?.exitCode;
    expect(exitCodeOf("Process exited with code 3\nCommand failed with exit code: 3.")).toBe(3);
    expect(exitCodeOf("Command failed with exit code: 3.\n")).toBeUndefined();
    expect(exitCodeOf(`${cut}20000\nCommand failed with exit code: 4.\n\n${where}`)).toBe(4);
  });

  it("that read from the end of a file have no line numbers", () => {
    const told = translateRun(kimi, [
      call("Read", { path: "a", line_offset: -10, n_lines: 5 }),
      result("9\tx"),
    ]);
    expect(told.of("read")[0]).not.toHaveProperty("startLine");
  });

  it("with arguments that were cut are kept as they came", () => {
    const told = translateRun(kimi, [call("Write", '{"path":"a')]);
    expect(told.of("tool_start")[0]?.input).toBe('{"path":"a');
    expect(told.of("write")).toEqual([]);
  });

  it("that start a subagent in the background do not end it", () => {
    const told = translateRun(kimi, [
      call("Agent", { prompt: "x", description: "Look", run_in_background: true }),
      result("task_id: agent-1\nstatus: running\nagent_id: agent-0\nactual_subagent_type: coder"),
    ]);
    expect(told.of("orchestration").map(({ action }) => action)).toEqual(["subagent_started"]);
  });

  it("that could not start a subagent have failed", () => {
    const told = translateRun(kimi, [
      call("Agent", { prompt: "x", subagent_type: "nosuch" }),
      result('subagent error: Subagent type "nosuch" is not allowed for this agent.'),
    ]);
    expect(told.of("orchestration").at(-1)).toMatchObject({ action: "subagent_failed", isSuccess: false });
  });

  it("that run a swarm start and end every subagent of it", () => {
    const told = translateRun(kimi, [
      call("AgentSwarm", { description: "Both", prompt_template: "Do {{item}}", items: ["left", "right"] }),
      result(
        '<agent_swarm_result>\n<summary>completed: 1, failed: 1</summary>\n<subagent agent_id="agent-0" item="left" outcome="completed">Done.</subagent>\n<subagent agent_id="agent-1" item="right" outcome="failed">No.</subagent>\n</agent_swarm_result>',
      ),
    ]);
    expect(told.of("orchestration")).toMatchObject([
      { action: "subagent_started", subagentName: "left" },
      { action: "subagent_started", subagentName: "right" },
      { action: "subagent_completed", subagentId: "agent-0", subagentName: "left", isSuccess: true },
      { action: "subagent_failed", subagentId: "agent-1", subagentName: "right", isSuccess: false },
    ]);
    expect(told.of("unknown")).toEqual([]);
  });

  it("that run a subagent end it with its id, as it ended", () => {
    const told = translateRun(kimi, [
      call("Agent", { prompt: "x", subagent_type: "explore" }),
      result("agent_id: agent-0\nactual_subagent_type: explore\nstatus: failed\nstop_reason: error"),
    ]);
    expect(told.of("orchestration").at(-1)).toMatchObject({
      action: "subagent_failed",
      subagentId: "agent-0",
      subagentName: "explore",
      isSuccess: false,
    });
  });
});
