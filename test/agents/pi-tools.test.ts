import { describe, expect, it } from "vitest";
import { pi } from "../../src/agents/pi/definition.js";
import { translateRun } from "../support/translated-run.js";

/** The events after the end of a call. */
function done(toolName: string, args: object, end: object = {}) {
  const told = translateRun(pi, [
    { type: "session", id: "pi-1", cwd: "/repo" },
    { type: "tool_execution_start", toolCallId: "c1", toolName, args },
    {
      type: "tool_execution_end",
      toolCallId: "c1",
      toolName,
      result: { content: [] },
      isError: false,
      ...end,
    },
    { type: "agent_end", messages: [] },
  ]);
  const at = told.events.findIndex(({ type }) => type === "tool_end");
  return told.events.slice(at + 1, -2);
}

const output = (text: string) => ({ result: { content: [{ type: "text", text }] } });

describe("pi: tools", () => {
  it.each([
    [
      "read",
      { path: "a.ts", offset: 130, limit: 65 },
      { type: "read", path: "/repo/a.ts", startLine: 130, endLine: 194 },
    ],
    ["Write", { path: "a.ts", content: "" }, { type: "write", path: "/repo/a.ts" }],
    ["edit", { path: "/a.ts", edits: [] }, { type: "write", path: "/a.ts" }],
    ["grep", { pattern: "foo" }, { type: "search", query: "foo" }],
    ["find", { pattern: "*.ts", path: "src" }, { type: "search", query: "*.ts", path: "/repo/src" }],
    ["ls", {}, { type: "list" }],
    ["Bash", { command: "cat a.ts" }, { type: "read", path: "/repo/a.ts" }],
    ["bash", { command: "npm test" }, { type: "command", command: "npm test" }],
    ["powershell", { command: "ls src" }, { type: "command", command: "ls src" }],
    ["read", { path: "/skills/x/SKILL.md" }, { type: "read", path: "/skills/x/SKILL.md" }],
    ["read", { path: "@README.md" }, { type: "read", path: "/repo/README.md" }],
    ["write", { path: "@/tmp/a.ts" }, { type: "write", path: "/tmp/a.ts" }],
    ["edit", { path: "src/@a.ts" }, { type: "write", path: "/repo/src/@a.ts" }],
    ["ls", { path: "@src" }, { type: "list", path: "/repo/src" }],
    ["grep", { pattern: "@foo", path: "@src" }, { type: "search", query: "@foo", path: "/repo/src" }],
    ["read", { path: "two\u00a0words.ts" }, { type: "read", path: "/repo/two words.ts" }],
    ["read", { path: "file:///repo/a.ts" }, { type: "read", path: "/repo/a.ts" }],
    ["read", { path: "~/a.ts" }, { type: "read", path: "~/a.ts" }],
    ["bash", { command: "cat @a.ts" }, { type: "read", path: "/repo/@a.ts" }],
  ])("%s %j", (name, args, event) => {
    expect(done(name, args)).toMatchObject([{ ...event, isSuccess: true, callId: "c1" }]);
  });

  it("reads the exit code from the end of the output", () => {
    const failed = { ...output("out\n\nCommand exited with code 3"), isError: true };
    expect(done("bash", { command: "make" }, failed)).toMatchObject([{ exitCode: 3, isSuccess: false }]);
    const quoted = {
      ...output("Command exited with code 3\nCommand timed out after 1 seconds"),
      isError: true,
    };
    expect(done("bash", { command: "make" }, quoted)[0]).not.toHaveProperty("exitCode");
  });

  it("takes the exit code that 1.4.0 reports, whatever the output says", () => {
    const ended = (exit_code: number, text: string) => ({
      result: { content: [{ type: "text", text }], structuredContent: { output: text, exit_code } },
      isError: exit_code !== 0,
    });
    expect(done("bash", { command: "make" }, ended(0, "made"))).toMatchObject([
      { exitCode: 0, isSuccess: true },
    ]);
    expect(done("bash", { command: "make" }, ended(2, "no\n\nCommand exited with code 3"))).toMatchObject([
      { exitCode: 2, isSuccess: false },
    ]);
    expect(done("bash", { command: "rg needle src" }, ended(1, ""))).toMatchObject([
      { type: "search", isSuccess: true },
    ]);
  });

  it("counts a search that found nothing as completed", () => {
    const none = { ...output("(no output)\n\nCommand exited with code 1"), isError: true };
    expect(done("bash", { command: "rg needle src" }, none)).toMatchObject([
      { type: "search", isSuccess: true },
    ]);
  });

  it("takes an end that names everything by itself", () => {
    const told = translateRun(pi, [
      { type: "tool_execution_end", toolName: "read", input: { path: "a.ts" }, status: "error" },
    ]);
    expect(told.of("read")).toMatchObject([{ path: "/repo/a.ts", isSuccess: false }]);
  });

  it("keeps an end without its start", () => {
    const record = {
      type: "tool_execution_end",
      toolCallId: "x",
      toolName: "read",
      result: {},
      isError: false,
    };
    expect(
      translateRun(pi, [record])
        .of("unknown")
        .map(({ raw }) => raw),
    ).toEqual([record]);
  });
});

describe("pi: records of calls that are not understood", () => {
  const session = { type: "session", id: "pi-1", cwd: "/repo" };
  const unpaired = [
    { type: "tool_execution_start" },
    { type: "tool_execution_start", toolName: "bash", args: { command: "ls" } },
    { type: "tool_execution_start", toolCallId: "c1" },
    { type: "tool_execution_update" },
    { type: "tool_execution_update", toolCallId: "c1", toolName: "bash", args: {}, partialResult: {} },
    { type: "tool_execution_end" },
    { type: "tool_execution_end", toolCallId: "c1", toolName: "bash", result: {}, isError: false },
  ];

  it.each(unpaired)("are kept right after the session: %j", (record) => {
    const told = translateRun(pi, [session, record]);
    expect(told.of("unknown").map(({ raw }) => raw)).toEqual([record]);
  });

  it("are kept if a call that is open starts again", () => {
    const start = {
      type: "tool_execution_start",
      toolCallId: "c1",
      toolName: "bash",
      args: { command: "ls" },
    };
    const told = translateRun(pi, [session, start, start]);
    expect(told.of("tool_start")).toHaveLength(1);
    expect(told.of("unknown").map(({ raw }) => raw)).toEqual([start]);
  });
});

it("pi: tells which call made a call", () => {
  const call = (toolCallId: string, toolName: string, args: object, parentToolCallId?: string) => [
    { type: "tool_execution_start", toolCallId, toolName, args, parentToolCallId },
    { type: "tool_execution_end", toolCallId, toolName, result: {}, isError: false, parentToolCallId },
  ];
  const [start, end] = call("c1", "codemode", { code: "…" });
  const told = translateRun(pi, [start ?? {}, ...call("c1/1", "read", { path: "a" }, "c1"), end ?? {}]);
  expect(told.of("tool_end")).toMatchObject([{ callId: "c1/1", parentCallId: "c1" }, { callId: "c1" }]);
  expect(told.of("read")).toMatchObject([{ path: "/repo/a", parentCallId: "c1" }]);
});

describe("pi: the example extension for subagents", () => {
  const finished = (results: object[]) => ({ result: { content: [], details: { results } } });

  it("tells each of several subagents", () => {
    const tasks = [
      { agent: "scout", task: "a" },
      { agent: "judge", task: "b" },
    ];
    const results = [
      { agent: "scout", exitCode: 0 },
      { agent: "judge", exitCode: 0, stopReason: "error" },
    ];
    expect(done("subagent", { tasks }, finished(results))).toMatchObject([
      { type: "orchestration", action: "subagent_completed", subagentName: "scout", isSuccess: true },
      { type: "orchestration", action: "subagent_failed", subagentName: "judge", isSuccess: false },
    ]);
  });

  it("tells no end of a step that was never reached", () => {
    const chain = [
      { agent: "scout", task: "a" },
      { agent: "judge", task: "b" },
    ];
    const events = done(
      "subagent",
      { chain },
      { ...finished([{ agent: "scout", exitCode: 1 }]), isError: true },
    );
    expect(events).toMatchObject([{ action: "subagent_failed", subagentName: "scout" }]);
  });

  it("does not recognise another tool of that name", () => {
    expect(done("subagent", { question: "?" })).toMatchObject([{ type: "unknown" }]);
  });
});
