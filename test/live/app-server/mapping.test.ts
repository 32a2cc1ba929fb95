import { describe, expect, it } from "vitest";
import { codex } from "../../../src/agents/codex/definition.js";
import { createSteps } from "../../../src/agents/steps.js";
import type { EventOf, EventType, HarnessEvent } from "../../../src/events/event.js";
import type { RawRecord } from "../../../src/events/raw-record.js";
import { expectSoundSession, translateTranscript } from "../../support/live-conformance.js";
import { readTranscript } from "../../support/transcripts.js";

const timestamp = "2026-01-01T00:00:00.000Z";
const threadId = "main";
const sent = (value: object, note: object = {}): RawRecord => ({
  timestamp,
  stream: "sent",
  line: JSON.stringify(value),
  ...note,
});
const got = (value: object): RawRecord => ({ timestamp, stream: "stdout", line: JSON.stringify(value) });
const notice = (method: string, params: object): RawRecord =>
  got({ method, params: { threadId, ...params } });
const opened = [
  sent({ id: 1, method: "thread/start", params: {} }),
  got({ id: 1, result: { thread: { id: threadId, cliVersion: "0.166.0" }, model: "gpt", cwd: "/repo" } }),
];
const input = (text: string) => [{ type: "text", text, text_elements: [] }];
const prompt = (text: string, turn: string, id = 2): RawRecord[] => [
  sent({ id, method: "turn/start", params: { threadId, input: input(text) } }, { turnId: `t-${turn}` }),
  got({ id, result: { turn: { id: turn, status: "inProgress" } } }),
  notice("turn/started", { turn: { id: turn } }),
];
const begun = [...opened, ...prompt("Go", "one")];
const finished = (turn: string, fields: object = {}): RawRecord =>
  notice("turn/completed", {
    turn: { id: turn, status: "completed", error: null, durationMs: 5, ...fields },
  });
const item = (
  method: "started" | "completed",
  turnId: string,
  fields: object,
  thread = threadId,
): RawRecord => notice(`item/${method}`, { threadId: thread, turnId, item: fields });
const command = (id: string, fields: object = {}) => ({
  type: "commandExecution",
  id,
  command: "/bin/bash -lc 'make'",
  cwd: "/repo",
  status: "inProgress",
  ...fields,
});

function eventsOf(...records: RawRecord[]): HarnessEvent[] {
  const steps = createSteps(codex, { live: "app-server", cwd: "/repo", runId: "r" });
  const all = [...steps.pushAll(records), steps.end({ exitCode: 0, stopped: true }, timestamp)];
  const events = all.flatMap((step) => step.events);
  expectSoundSession(events);
  return events;
}

function ofType<T extends EventType>(events: readonly HarnessEvent[], type: T): EventOf<T>[] {
  return events.filter((event): event is EventOf<T> => event.type === type);
}

const asked = (method: string, params: object, id: number | string = 0): RawRecord =>
  got({ id, method, params: { threadId, turnId: "one", ...params } });

/** The one request in these records. */
function requestIn(...records: RawRecord[]): EventOf<"request"> | undefined {
  const requests = ofType(eventsOf(...begun, ...records), "request");
  expect(requests).toHaveLength(1);
  return requests[0];
}

describe("the session", () => {
  it("has the thread's id, its model and its directory, and the version that runs", () => {
    const events = eventsOf(...opened);
    expect(ofType(events, "session")).toMatchObject([{ sessionId: threadId, model: "gpt", cwd: "/repo" }]);
  });

  it("changes its model with the thread's settings, not with those of a subagent", () => {
    const settings = (thread: string, model: string): RawRecord =>
      notice("thread/settings/updated", { threadId: thread, threadSettings: { model } });
    const events = eventsOf(...begun, settings("child", "small"), settings(threadId, "big"), finished("one"));
    expect(ofType(events, "session").map(({ model }) => model)).toEqual(["gpt", "big"]);
  });

  it("ends with an error if no thread could be opened", () => {
    const events = eventsOf(
      sent({ id: 1, method: "thread/resume", params: { threadId: "gone" } }),
      got({ id: 1, error: { code: -32600, message: "no rollout found" } }),
    );
    expect(ofType(events, "error")).toMatchObject([{ message: "thread/resume: no rollout found" }]);
  });
});

describe("a turn", () => {
  it("has the id that its prompt was sent with", () => {
    expect(ofType(eventsOf(...begun, finished("one")), "turn_end")).toMatchObject([
      { turnId: "t-one", isSuccess: true, reason: "completed", durationMs: 5 },
    ]);
  });

  it("fails if its prompt is refused", () => {
    const events = eventsOf(
      ...opened,
      sent({ id: 2, method: "turn/start", params: { threadId, input: input("Go") } }),
      got({ id: 2, error: { code: -32600, message: "thread not found" } }),
      ...prompt("Again", "two", 3),
      finished("two"),
    );
    expect(ofType(events, "turn_end")).toMatchObject([
      { reason: "failed", failure: { message: "thread not found" } },
      { reason: "completed" },
    ]);
  });

  it("does not end with a subagent's, an earlier one's, or that of another thread", () => {
    const events = eventsOf(
      sent({ id: 9, method: "thread/start", params: {} }),
      got({ id: 9, result: { thread: { id: "other" }, model: "gpt" } }),
      ...begun,
      notice("turn/completed", { threadId: "child", turn: { id: "c1", status: "completed" } }),
      notice("turn/completed", { threadId: "other", turn: { id: "o1", status: "completed" } }),
      finished("zero", { status: "failed" }),
      item("completed", "one", { type: "agentMessage", id: "m", text: "Yes." }),
      finished("one"),
    );
    expect(ofType(events, "turn_end")).toMatchObject([{ turnId: "t-one", text: "Yes.", isSuccess: true }]);
  });

  it("ends while a command runs: the end of that command comes too late to be one", () => {
    const events = eventsOf(
      ...begun,
      item("started", "one", command("call")),
      sent({ id: 3, method: "turn/interrupt", params: { threadId, turnId: "one" } }),
      finished("one", { status: "interrupted" }),
      item("completed", "one", command("call", { status: "failed", exitCode: -1 })),
      notice("item/agentMessage/delta", { turnId: "one", itemId: "m", delta: "late" }),
      item("started", "one", command("later")),
    );
    expect(ofType(events, "tool_start").map(({ callId }) => callId)).toEqual(["call"]);
    expect(ofType(events, "tool_end")).toHaveLength(1);
    expect(ofType(events, "text")).toEqual([]);
    expect(ofType(events, "turn_end")).toMatchObject([{ reason: "interrupted" }]);
  });

  it.each([
    ["usageLimitExceeded", "quota"],
    ["contextWindowExceeded", "context_overflow"],
    [{ httpConnectionFailed: { httpStatusCode: null } }, "network"],
    [{ responseTooManyFailedAttempts: { httpStatusCode: 401 } }, "auth"],
    [{ responseStreamDisconnected: { httpStatusCode: 503 } }, "provider"],
    ["somethingNew", "unknown"],
  ])("fails because of %j: %s", (codexErrorInfo, kind) => {
    const error = { message: "It failed.", codexErrorInfo };
    const events = eventsOf(
      ...begun,
      notice("error", { turnId: "one", error, willRetry: false }),
      finished("one", { status: "failed", error }),
    );
    expect(ofType(events, "turn_end")).toMatchObject([{ failure: { kind, message: "It failed." } }]);
    expect(ofType(events, "error")).toHaveLength(1);
  });

  it("does not take the id of a subagent's turn for its own", () => {
    const events = eventsOf(
      ...opened,
      sent({ id: 2, method: "turn/start", params: { threadId, input: input("Go") } }),
      asked("item/commandExecution/requestApproval", { threadId: "child", turnId: "c1", command: "make" }),
      got({ id: 2, result: { turn: { id: "one" } } }),
      item("completed", "one", { type: "agentMessage", id: "m", text: "Yes." }),
      finished("one"),
    );
    expect(ofType(events, "turn_end")).toMatchObject([{ text: "Yes.", isSuccess: true }]);
    expect(ofType(events, "request")).toMatchObject([{ parentCallId: "child" }]);
  });

  it("does not begin again when its start is repeated", () => {
    const events = eventsOf(
      ...begun,
      finished("one"),
      notice("turn/started", { turn: { id: "one" } }),
      item("completed", "one", { type: "agentMessage", id: "m", text: "Late." }),
    );
    expect(ofType(events, "turn")).toHaveLength(1);
    expect(ofType(events, "agent")).toEqual([]);
  });

  it("is Codex's own if nobody asked for it", () => {
    const events = eventsOf(
      ...opened,
      notice("turn/started", { turn: { id: "own" } }),
      item("started", "own", command("call")),
      item("completed", "own", command("call", { status: "completed", exitCode: 0 })),
      finished("own"),
    );
    expect(ofType(events, "turn")).toMatchObject([{ origin: "agent", turnId: "agent_turn_1" }]);
  });
});

describe("tokens", () => {
  const counts = (turnId: string, total: number, thread = threadId): RawRecord => {
    const last = { inputTokens: 10, cachedInputTokens: 4, outputTokens: 3, reasoningOutputTokens: 1 };
    const tokenUsage = { total: { totalTokens: total }, last };
    return notice("thread/tokenUsage/updated", { threadId: thread, turnId, tokenUsage });
  };

  it("are those of the turn's requests, each counted once", () => {
    const events = eventsOf(
      ...opened,
      counts("of an earlier session", 100),
      ...prompt("Go", "one"),
      counts("one", 113),
      counts("one", 113),
      counts("one", 126),
      finished("one"),
      ...prompt("On", "two", 3),
      counts("two", 139),
      finished("two"),
    );
    const turns = ofType(events, "usage").filter(({ scope }) => scope === "turn");
    expect(turns).toMatchObject([
      { inputTokens: 12, cacheReadTokens: 8, outputTokens: 6, reasoningTokens: 2, totalTokens: 26 },
      { inputTokens: 6, cacheReadTokens: 4, outputTokens: 3, reasoningTokens: 1, totalTokens: 13 },
    ]);
  });

  it("of an earlier session do not name the turn of a prompt that Codex has not answered yet", () => {
    const [sentPrompt, ...answered] = prompt("Go", "one");
    const events = eventsOf(
      ...opened,
      ...(sentPrompt === undefined ? [] : [sentPrompt]),
      counts("of an earlier session", 100),
      ...answered,
      counts("one", 113),
      finished("one"),
    );
    expect(ofType(events, "turn_end")).toMatchObject([{ isSuccess: true, reason: "completed" }]);
    expect(ofType(events, "usage").filter(({ scope }) => scope === "turn")).toMatchObject([
      { totalTokens: 13 },
    ]);
  });

  it("of subagents count for the turn that they work in, and are marked", () => {
    const events = eventsOf(...begun, counts("c1", 13, "child"), counts("one", 13), finished("one"));
    expect(ofType(events, "usage").map(({ scope, parentCallId }) => [scope, parentCallId])).toEqual([
      ["step", "child"],
      ["step", undefined],
      ["turn", undefined],
      ["run", undefined],
    ]);
    expect(ofType(events, "usage").at(-1)).toMatchObject({ totalTokens: 26 });
  });
});

describe("a subagent", () => {
  const spawn = (status: string, fields: object = {}) => ({
    type: "collabAgentToolCall",
    id: "spawn",
    tool: "spawnAgent",
    prompt: "Look",
    status,
    receiverThreadIds: [],
    ...fields,
  });

  it("belongs to the call that started it, also before that call has ended", () => {
    const events = eventsOf(
      ...begun,
      item("started", "one", spawn("inProgress")),
      item("started", "c1", command("early"), "child"),
      item("completed", "one", spawn("completed", { receiverThreadIds: ["child"] })),
      item("completed", "c1", command("early", { status: "completed", exitCode: 0 }), "child"),
      item("completed", "c1", { type: "agentMessage", id: "m", text: "Found." }, "child"),
      notice("turn/completed", { threadId: "child", turn: { id: "c1", status: "completed" } }),
      item("completed", "one", { type: "agentMessage", id: "m2", text: "Done." }),
      finished("one"),
    );
    expect(ofType(events, "command")).toMatchObject([{ parentCallId: "spawn", isSuccess: true }]);
    expect(ofType(events, "agent").map(({ message, parentCallId }) => [message, parentCallId])).toEqual([
      ["Found.", "spawn"],
      ["Done.", undefined],
    ]);
    expect(ofType(events, "orchestration").map(({ action }) => action)).toEqual([
      "subagent_started",
      "subagent_completed",
    ]);
    expect(ofType(events, "turn_end")).toMatchObject([{ text: "Done." }]);
  });

  it("goes on after an interrupt in the transcript, and reports its end outside of turns", () => {
    const events = translateTranscript(codex, readTranscript("app-server-codex", "interrupted-subagent"))
      .flatMap((step) => step.events)
      .filter(({ type }) => type === "turn_end" || type === "orchestration");
    expect(events.map(({ type, turnId }) => [type, turnId])).toEqual([
      ["orchestration", "turn_1"],
      ["turn_end", "turn_1"],
      ["orchestration", undefined],
    ]);
  });
});

describe("a request", () => {
  it("for a command says what it does, where, and to which host", () => {
    const params = {
      itemId: "call",
      command: "/bin/bash -lc 'cat notes.txt'",
      cwd: "/repo/sub",
      reason: "I must read.",
      networkApprovalContext: { host: "example.com", protocol: "https" },
    };
    expect(requestIn(asked("item/commandExecution/requestApproval", params))).toMatchObject({
      kind: "permission",
      callId: "call",
      message: "I must read.",
      operations: [
        { type: "command", command: "cat notes.txt", workingDirectory: "/repo/sub" },
        { type: "fetch", url: "https://example.com" },
      ],
      choices: ["allow", "allow_always", "deny"],
    });
  });

  it("about something other than a command says nothing that a rule could allow", () => {
    const stdin = { kind: "stdin", itemId: "call", command: "cat" };
    expect(requestIn(asked("item/commandExecution/requestApproval", stdin))?.operations).toBeUndefined();
    const more = { itemId: "call", permissions: { network: { enabled: true } } };
    expect(requestIn(asked("item/permissions/requestApproval", more))?.operations).toBeUndefined();
    expect(
      requestIn(asked("item/fileChange/requestApproval", { itemId: "gone" }))?.operations,
    ).toBeUndefined();
  });

  it("for a patch has the changes of its item, and the directory that it wants as a whole", () => {
    const change = { path: "/repo/a.txt", kind: { type: "update", move_path: "/repo/b.txt" }, diff: "" };
    const request = requestIn(
      item("started", "one", { type: "fileChange", id: "call", changes: [change], status: "inProgress" }),
      asked("item/fileChange/requestApproval", { itemId: "call", grantRoot: "/repo/sub" }),
    );
    expect(request?.operations?.map((operation) => "path" in operation && operation.path)).toEqual([
      "/repo/a.txt",
      "/repo/b.txt",
      "/repo/sub",
    ]);
  });

  it("for an MCP tool is about the call that waits, among several of the same server", () => {
    const mcp = (id: string, tool: string, args: object) =>
      item("started", "one", {
        type: "mcpToolCall",
        id,
        server: "s",
        tool,
        arguments: args,
        status: "inProgress",
      });
    const request = requestIn(
      mcp("a", "add", { x: 1 }),
      mcp("b", "add", { x: 2 }),
      mcp("c", "look", { x: 2 }),
      asked("mcpServer/elicitation/request", {
        serverName: "s",
        mode: "form",
        _meta: { codex_approval_kind: "mcp_tool_call", tool_params: { x: 2 } },
        message: 'Allow the s MCP server to run tool "add"?',
        requestedSchema: { type: "object", properties: {} },
      }),
    );
    expect(request).toMatchObject({
      callId: "b",
      name: "mcp__s__add",
      operations: [{ type: "mcp", server: "s", tool: "add" }],
      choices: ["allow", "deny"],
    });
  });

  it("of an MCP server is a form, also if it only wants an address to be opened", () => {
    const url = {
      serverName: "s",
      mode: "url",
      message: "Sign in",
      url: "https://example.com/in",
      _meta: null,
    };
    expect(requestIn(asked("mcpServer/elicitation/request", url, "abc"))).toMatchObject({
      requestId: "abc",
      kind: "form",
      name: "s",
      input: { url: "https://example.com/in" },
    });
  });

  it("is withdrawn when Codex says so, and a late answer changes nothing", () => {
    const events = eventsOf(
      ...begun,
      asked("item/commandExecution/requestApproval", { itemId: "call", command: "make", cwd: "/repo" }),
      notice("serverRequest/resolved", { requestId: 0 }),
      sent({ id: 0, result: { decision: "accept" } }),
    );
    expect(ofType(events, "request_end")).toMatchObject([{ outcome: "withdrawn", by: "agent" }]);
  });

  it("that the user's rules decided says which rule", () => {
    const events = eventsOf(
      ...begun,
      asked("item/commandExecution/requestApproval", { itemId: "call", command: "make", cwd: "/repo" }),
      sent({ id: 0, result: { decision: "decline" } }, { by: "policy", rule: "command: make" }),
    );
    expect(ofType(events, "request_end")).toMatchObject([
      { outcome: "denied", by: "policy", rule: "command: make" },
    ]);
  });
});

describe("the plan", () => {
  it("is reported whole, in the words of every agent", () => {
    const plan = [
      { step: "First", status: "completed" },
      { step: "Second", status: "inProgress" },
      { step: "Third", status: "pending" },
    ];
    const events = eventsOf(...begun, notice("turn/plan/updated", { turnId: "one", plan }), finished("one"));
    expect(ofType(events, "plan")).toMatchObject([
      {
        entries: [
          { content: "First", status: "completed" },
          { content: "Second", status: "in_progress" },
          { content: "Third", status: "pending" },
        ],
      },
    ]);
  });
});

describe("what was said", () => {
  it("is withdrawn when Codex asks the model again", () => {
    const message = { type: "agentMessage", id: "m", text: "" };
    const events = eventsOf(
      ...begun,
      item("started", "one", message),
      notice("item/agentMessage/delta", { turnId: "one", itemId: "m", delta: "Half" }),
      item("started", "one", message),
      notice("item/agentMessage/delta", { turnId: "one", itemId: "m", delta: "Whole" }),
      item("completed", "one", { ...message, text: "Whole" }),
      finished("one"),
    );
    expect(ofType(events, "warning").map(({ code }) => code)).toEqual(["text_withdrawn"]);
    expect(ofType(events, "agent").map(({ message: said }) => said)).toEqual(["Whole"]);
  });

  it("by the user in a running turn is reported when Codex takes it up", () => {
    const events = eventsOf(
      ...begun,
      item("completed", "one", { type: "userMessage", id: "u1", content: input("Go") }),
      sent({
        id: 3,
        method: "turn/steer",
        params: { threadId, expectedTurnId: "one", input: input("Also") },
      }),
      got({ id: 3, result: { turnId: "one" } }),
      item("completed", "one", { type: "userMessage", id: "u2", content: input("Also") }),
      finished("one"),
    );
    expect(ofType(events, "agent")).toMatchObject([{ role: "user", message: "Also", messageId: "u2" }]);
  });

  it("as reasoning in several parts keeps them apart", () => {
    const events = eventsOf(
      ...begun,
      notice("item/reasoning/summaryPartAdded", { turnId: "one", itemId: "r", summaryIndex: 0 }),
      notice("item/reasoning/summaryTextDelta", { turnId: "one", itemId: "r", delta: "A", summaryIndex: 0 }),
      notice("item/reasoning/summaryPartAdded", { turnId: "one", itemId: "r", summaryIndex: 1 }),
      notice("item/reasoning/summaryTextDelta", { turnId: "one", itemId: "r", delta: "B", summaryIndex: 1 }),
      item("completed", "one", { type: "reasoning", id: "r", summary: ["A", "B"], content: [] }),
      item("completed", "one", { type: "reasoning", id: "r2", summary: ["C", "D"], content: [] }),
      finished("one"),
    );
    const thoughts = ofType(events, "thinking").map(({ delta, message }) => delta ?? message);
    expect(thoughts).toEqual(["A", "\n\n", "B", "C\n\nD"]);
  });
});
