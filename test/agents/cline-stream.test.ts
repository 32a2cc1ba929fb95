import { describe, expect, it } from "vitest";
import { cline } from "../../src/agents/cline/definition.js";
import { createTranslator, translate } from "../../src/agents/create-translator.js";
import type { EventOf, EventType, HarnessEvent } from "../../src/events/event.js";

const ts = "2026-11-15T18:12:32.564Z";
const agentEvent = (event: object) => ({ ts, type: "agent_event", event });
const started = (toolCallId: string, toolName: string, input: unknown) =>
  agentEvent({ type: "content_start", contentType: "tool", toolCallId, toolName, input });
const ended = (toolCallId: string, toolName: string, rest: object) =>
  agentEvent({ type: "content_end", contentType: "tool", toolCallId, toolName, ...rest });
const hook = (hookEventName: string, agentId: string, parentAgentId: string | null = null) => ({
  ts,
  type: "hook_event",
  hookEventName,
  agentId,
  taskId: "conv_1",
  parentAgentId,
});
const runResult = (rest: object) => ({
  ts,
  type: "run_result",
  finishReason: "completed",
  text: "",
  ...rest,
});

function events(...records: (object | string)[]): HarnessEvent[] {
  const lines = records.map((record) => (typeof record === "string" ? record : JSON.stringify(record)));
  return [...translate(cline, lines, { cwd: "/repo" })];
}

function all<T extends EventType>(list: readonly HarnessEvent[], type: T): EventOf<T>[] {
  return list.filter((event): event is EventOf<T> => event.type === type);
}

function only<T extends EventType>(list: readonly HarnessEvent[], type: T): EventOf<T> | undefined {
  const found = all(list, type);
  expect(found).toHaveLength(1);
  return found[0];
}

describe("what is said", () => {
  it("is emitted once: as deltas, and as one message, whatever restates it", () => {
    const list = events(
      agentEvent({ type: "content_start", contentType: "text", text: "Hel" }),
      agentEvent({ type: "content_start", contentType: "text", text: "lo" }),
      agentEvent({ type: "content_end", contentType: "text", text: "Hello" }),
      agentEvent({ type: "done", reason: "completed", text: "Hello" }),
      runResult({ text: "Hello" }),
    );
    expect(all(list, "text").map(({ delta }) => delta)).toEqual(["Hel", "lo"]);
    expect(only(list, "agent")?.message).toBe("Hello");
    expect(only(list, "result")).toMatchObject({ isSuccess: true, text: "Hello" });
  });

  it("is the same whether or not the message so far is repeated behind a delta", () => {
    const delta = { type: "content_start", contentType: "text", text: 'a "b"\n\\ é 👋', accumulated: "x" };
    const { accumulated: _, ...plain } = delta;
    const [repeated] = all(events(agentEvent(delta)), "text");
    expect(repeated?.delta).toBe(delta.text);
    expect(all(events(agentEvent(plain)), "text")[0]?.delta).toBe(delta.text);
  });

  it("is kept when a line is cut inside the repeated message", () => {
    const line = JSON.stringify(
      agentEvent({ type: "content_start", contentType: "text", text: "a", accumulated: "long" }),
    ).slice(0, -5);
    expect(only(events(line), "unknown")?.raw).toBe(line);
  });

  it("is the last message when the process dies before it ends", () => {
    const list = events(agentEvent({ type: "content_start", contentType: "text", text: "I was about" }));
    expect(only(list, "agent")?.message).toBe("I was about");
  });
});

describe("reasoning", () => {
  it("that was streamed is not repeated", () => {
    const list = events(
      agentEvent({ type: "content_start", contentType: "reasoning", reasoning: "Hm", redacted: false }),
      agentEvent({ type: "content_end", contentType: "reasoning", reasoning: "Hm" }),
    );
    expect(only(list, "thinking")).toMatchObject({ delta: "Hm" });
  });

  it("that was not streamed is emitted whole", () => {
    const list = events(agentEvent({ type: "content_end", contentType: "reasoning", reasoning: "Hm" }));
    expect(only(list, "thinking")).toMatchObject({ message: "Hm" });
  });
});

describe("a batch", () => {
  it("of files has one read for each, with its own outcome and lines", () => {
    const files = [{ path: "a.ts", start_line: "3", end_line: 5 }, { path: "b.ts", end_line: 9 }, "c.ts"];
    const output = [{ success: true }, { success: false, error: "Error reading file: …" }, { success: true }];
    const list = events(started("1", "read_files", { files }), ended("1", "read_files", { output }));
    expect(only(list, "tool_end")?.isSuccess).toBe(false);
    expect(all(list, "read")).toMatchObject([
      { path: "/repo/a.ts", startLine: 3, endLine: 5, isSuccess: true },
      { path: "/repo/b.ts", startLine: 1, endLine: 9, isSuccess: false },
      { path: "/repo/c.ts", isSuccess: true },
    ]);
  });

  it.each([
    [{ commands: ["ls", { command: "git", args: ["log", "-n 1"] }] }, ["ls", 'git log "-n 1"']],
    [{ commands: "ls" }, ["ls"]],
    [{ command: "ls" }, ["ls"]],
    [{ cmd: "ls" }, ["ls"]],
    [
      ["ls", "pwd"],
      ["ls", "pwd"],
    ],
    ["ls", ["ls"]],
  ])("of commands is read in the shape %j", (input, expected) => {
    const list = events(started("1", "run_commands", input));
    expect(all(list, "command").map(({ command }) => command)).toEqual(expected);
  });

  it("never becomes file operations, whatever the commands are", () => {
    const list = events(started("1", "run_commands", { commands: ["cat a.ts", "grep x ."] }));
    expect(all(list, "command")).toHaveLength(2);
    expect([...all(list, "read"), ...all(list, "search")]).toEqual([]);
  });

  it("that was rejected as a whole failed in every part", () => {
    const rejected = { output: { error: "no" }, error: '{"error":"no"}' };
    const list = events(
      started("1", "search_codebase", { queries: ["a", "b"] }),
      ended("1", "search_codebase", rejected),
    );
    expect(all(list, "search")).toMatchObject([
      { query: "a", isSuccess: false },
      { query: "b", isSuccess: false },
    ]);
  });

  it("without a flag for success is not said to have succeeded when it is empty", () => {
    const list = events(started("1", "read_files", { files: [] }), ended("1", "read_files", { output: [] }));
    expect(only(list, "tool_end")).not.toHaveProperty("isSuccess");
  });
});

describe("tools of older versions", () => {
  it.each([
    ["execute_command", { command: "npm test" }, { type: "command", command: "npm test" }],
    ["bash", { command: "npm test" }, { type: "command", command: "npm test" }],
    ["read_file", { path: "a.ts" }, { type: "read", path: "/repo/a.ts" }],
    ["write_to_file", { path: "a.ts", content: "" }, { type: "write", path: "/repo/a.ts" }],
    ["replace_in_file", { path: "a.ts", diff: "" }, { type: "write", path: "/repo/a.ts" }],
    ["new_rule", { path: ".clinerules/x.md" }, { type: "write", path: "/repo/.clinerules/x.md" }],
    ["search_files", { path: "src", regex: "foo" }, { type: "search", query: "foo", path: "/repo/src" }],
    ["list_files", { path: "src" }, { type: "list", path: "/repo/src" }],
    [
      "use_skill",
      { skill_name: "pdf" },
      { type: "skill", skillName: "pdf", path: "/repo/skills/pdf/SKILL.md" },
    ],
    ["apply_patch", "*** Add File: a.ts\n", { type: "write", path: "/repo/a.ts" }],
  ])("%s is recognised", (name, input, expected) => {
    const list = events(started("1", name, input), ended("1", name, { output: { success: true } }));
    expect(list).toContainEqual(expect.objectContaining({ ...expected, isSuccess: true, callId: "1" }));
  });
});

it("reports an end whose start was missed from its own fields", () => {
  const list = events(ended("1", "editor", { input: { path: "a.ts" }, output: { success: true } }));
  expect(only(list, "tool_start")).toMatchObject({ callId: "1", name: "editor" });
  expect(only(list, "write")).toMatchObject({ path: "/repo/a.ts", isSuccess: true });
});

describe("subagents", () => {
  const spawn = started("s", "spawn_agent", { task: "count" });
  const inner = [started("r", "read_files", { files: ["a"] }), ended("r", "read_files", { output: [] })];

  it("own what happens while their call runs; what they say is not the answer", () => {
    const list = events(
      hook("agent_start", "lead"),
      agentEvent({ type: "content_end", contentType: "text", text: "I delegate." }),
      spawn,
      hook("agent_start", "child", "lead"),
      ...inner,
      agentEvent({ type: "content_end", contentType: "text", text: "I am the child." }),
      agentEvent({ type: "error", error: { message: "child broke" }, recoverable: false }),
      ended("s", "spawn_agent", { output: { finishReason: "error" } }),
    );
    expect(all(list, "read")[0]?.parentCallId).toBe("s");
    expect(all(list, "error")[0]).toMatchObject({ message: "child broke", parentCallId: "s" });
    expect(all(list, "orchestration")).toMatchObject([
      { action: "subagent_started", subagentId: "child", callId: "s" },
      { action: "subagent_failed", subagentId: "child", isSuccess: false, callId: "s" },
    ]);
    expect(only(list, "result")?.text).toBe("I delegate.");
  });

  it("do not end the run with their own fatal error", () => {
    const translator = createTranslator(cline);
    for (const record of [
      spawn,
      agentEvent({ type: "error", error: { message: "x" }, recoverable: false }),
    ]) {
      translator.line(JSON.stringify(record));
    }
    expect(translator.isDone).toBe(false);
  });

  it("are reported as started at their first step when there are no hooks", () => {
    const list = events(spawn, agentEvent({ type: "iteration_start", iteration: 1 }), ...inner);
    expect(only(list, "orchestration")).toMatchObject({ action: "subagent_started", callId: "s" });
  });

  it("own nothing any more once teammates work beside the lead and are not set apart", () => {
    const list = events(
      started("t", "team_run_task", { agentId: "helper", runMode: "async" }),
      ended("t", "team_run_task", { output: { agentId: "helper", mode: "async" } }),
      spawn,
      ...inner,
    );
    expect(all(list, "read")[0]).not.toHaveProperty("parentCallId");
  });

  it("count in the run's tokens and cost, although the total leaves them out", () => {
    const step = (input: number) =>
      agentEvent({ type: "usage", inputTokens: input, outputTokens: 1, cost: 0.5 });
    const list = events(
      step(10),
      spawn,
      step(20),
      ended("s", "spawn_agent", { output: { finishReason: "completed" } }),
      runResult({ usage: { inputTokens: 10, outputTokens: 1, totalCost: 0.5 } }),
    );
    const run = all(list, "usage").find(({ scope }) => scope === "run");
    expect(run).toMatchObject({ inputTokens: 30, outputTokens: 2, totalTokens: 32, costUsd: 1 });
  });
});

describe("the end", () => {
  it("leaves the cost out when no price is known, for then it is always 0", () => {
    const usage = { inputTokens: 5, outputTokens: 1, totalCost: 0 };
    expect(only(events(runResult({ usage })), "result")).not.toHaveProperty("costUsd");
    const priced = runResult({ usage, model: { id: "free", info: { pricing: { input: 0, output: 0 } } } });
    expect(only(events(priced), "result")?.costUsd).toBe(0);
  });

  it("reports the tokens of the steps when the process dies", () => {
    const list = events(agentEvent({ type: "usage", inputTokens: 10, cacheReadTokens: 4, outputTokens: 2 }));
    const run = all(list, "usage").find(({ scope }) => scope === "run");
    expect(run).toMatchObject({ inputTokens: 6, cacheReadTokens: 4, outputTokens: 2, totalTokens: 12 });
  });

  it.each([
    ["local_abort", "aborted", "cancelled"],
    ["external_abort", "aborted by another client", "cancelled"],
  ])("by %s without a mistake before it is a cancellation", (reason, message, kind) => {
    const list = events(runResult({ finishReason: "aborted" }), { ts, type: "run_aborted", reason, message });
    expect(only(list, "result")?.failure).toMatchObject({ kind, message: `the run was ${message}` });
    expect(only(list, "error")).toMatchObject({ code: reason });
  });

  it("is not blamed on a mistake that was made good", () => {
    const list = events(
      started("1", "editor", {}),
      ended("1", "editor", { error: "no" }),
      started("2", "editor", { path: "a" }),
      ended("2", "editor", { output: { success: true } }),
      runResult({ finishReason: "aborted" }),
      { ts, type: "run_aborted", reason: "external_abort", message: "aborted by another client" },
    );
    expect(only(list, "result")?.failure?.kind).toBe("cancelled");
  });

  it("by the limit of iterations is one of turns", () => {
    const list = events(runResult({ finishReason: "max_iterations", text: "so far" }));
    expect(only(list, "result")?.failure?.kind).toBe("max_turns");
  });

  it("is a failure when no reason is given", () => {
    expect(only(events({ ts, type: "run_result" }), "result")?.isSuccess).toBe(false);
  });

  it("is of the kind that its message names, although Cline calls every 403 a matter of the key", () => {
    const failed = (message: string) =>
      events(agentEvent({ type: "error", error: { message }, errorClass: "auth", recoverable: false }));
    expect(only(failed("Insufficient credits. Add more."), "result")?.failure?.kind).toBe("quota");
    expect(only(failed("No."), "result")?.failure?.kind).toBe("auth");
  });

  it("is read from standard error when Cline crashed without a result", () => {
    const translator = createTranslator(cline);
    translator.line(JSON.stringify(hook("agent_start", "lead")));
    translator.diagnostic(JSON.stringify({ ts, type: "error", message: "Invalid API key" }));
    const list = translator.end({ exitCode: 1 });
    expect(list.find(({ type }) => type === "result")).toMatchObject({
      failure: { kind: "auth", message: "Invalid API key" },
    });
    expect(all(list, "error").map(({ message }) => message)).toEqual([
      "Cline exited with code 1: Invalid API key",
    ]);
  });
});

describe("the session", () => {
  it("is never the task id, which names a conversation in memory", () => {
    expect(events(hook("agent_start", "lead")).some(({ sessionId }) => sessionId !== undefined)).toBe(false);
  });

  it.each(["sessionId", "session_id", "id"])("is taken from %s, should a record carry it", (key) => {
    const list = events({ ts, type: "run_start", modelId: "m", [key]: "1794766268801_8hj1q" });
    expect(only(list, "session")).toMatchObject({ model: "m", sessionId: "1794766268801_8hj1q" });
  });
});

describe("the flat stream of older versions", () => {
  const say = (kind: string, text: string, rest: object = {}) => ({
    ts: 1,
    type: "say",
    say: kind,
    text,
    ...rest,
  });

  it("gives messages, reasoning and errors; the rest stays unknown", () => {
    const question = JSON.stringify({ question: "Which one?", options: ["a", "b"] });
    const list = events(
      { type: "task_started", taskId: "t1" },
      say("reasoning", "Hm"),
      say("text", "Work", { partial: true }),
      say("text", "Working", { partial: false }),
      say("tool", '{"tool":"readFile","path":"a.ts"}'),
      say("error", "Cline tried to use a tool without a value"),
      { type: "ask", ask: "followup", text: question },
      say("completion_result", "Done"),
    );
    expect(list.map(({ type }) => type).slice(1, -2)).toEqual([
      "unknown",
      "thinking",
      "agent",
      "unknown",
      "error",
      "agent",
      "agent",
    ]);
    expect(all(list, "agent").map(({ message }) => message)).toEqual(["Working", "Which one?", "Done"]);
    expect(only(list, "result")).toMatchObject({ isSuccess: true, text: "Done" });
  });

  it("emits an answer once that comes as text and as completion", () => {
    expect(all(events(say("text", "Hi"), say("completion_result", "Hi")), "agent")).toHaveLength(1);
  });

  it("fails with the error that nothing came after", () => {
    const list = events(say("text", "Working"), say("api_req_failed", "401 Unauthorized"));
    expect(only(list, "result")?.failure).toMatchObject({ kind: "auth", message: "401 Unauthorized" });
    expect(all(list, "error")).toHaveLength(1);
  });
});
