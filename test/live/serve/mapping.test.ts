import { describe, expect, it } from "vitest";
import type { AgentDefinition } from "../../../src/agents/definition.js";
import { kilo } from "../../../src/agents/kilo/definition.js";
import { opencode } from "../../../src/agents/opencode/definition.js";
import { createSteps } from "../../../src/agents/steps.js";
import type { EventOf, EventType, HarnessEvent } from "../../../src/events/event.js";
import type { RawRecord } from "../../../src/events/raw-record.js";
import { expectSoundSession } from "../../support/live-conformance.js";

const timestamp = "2026-01-01T00:00:00.000Z";
const sessionID = "ses_main";

const sent = (line: string, more: object = {}): RawRecord => ({ timestamp, stream: "sent", line, ...more });
const http = (status: number, body?: unknown): RawRecord => ({
  timestamp,
  stream: "received",
  line: `HTTP ${status} ${body === undefined ? "" : JSON.stringify(body)}`,
});
const sse = (type: string, properties: object = {}): RawRecord => ({
  timestamp,
  stream: "received",
  line: `SSE ${JSON.stringify({ id: "evt_1", type, properties: { sessionID, ...properties } })}`,
});

/** What the server sends in an ordinary turn, as it was recorded with 1.18.33. */
const created = [sent("POST /session {}"), http(200, { id: sessionID, directory: "/repo" })];
const prompt = (text: string): RawRecord[] => [
  sent(`POST /session/${sessionID}/prompt_async ${JSON.stringify({ parts: [{ type: "text", text }] })}`),
  http(204),
];
const userMessage = (id: string): RawRecord =>
  sse("message.updated", {
    info: { id, role: "user", sessionID, model: { providerID: "p", modelID: "m" } },
  });
const assistant = (id: string, more: object = {}): RawRecord =>
  sse("message.updated", { info: { id, role: "assistant", sessionID, time: { created: 1 }, ...more } });
const completed = { time: { created: 1, completed: 2 } };
const aborted = { error: { name: "MessageAbortedError", data: { message: "Aborted" } } };
const status = (type: string): RawRecord => sse("session.status", { status: { type } });
const idle = [status("idle"), sse("session.idle")];
const part = (fields: object): RawRecord =>
  sse("message.part.updated", { part: { sessionID, messageID: "msg_a", ...fields } });
const said = (text: string, id = `prt_${text}`): RawRecord[] => [
  part({ id: `${id}_s`, type: "step-start" }),
  part({ id, type: "text", text, time: { start: 1, end: 2 } }),
  part({ id: `${id}_f`, type: "step-finish", reason: "stop", tokens: { input: 1, output: 2 }, cost: 0.5 }),
];
const tool = (state: object, more: object = {}): RawRecord =>
  part({ id: "prt_t", type: "tool", tool: "bash", callID: "call_1", state, ...more });
const input = { command: "touch made.txt", workdir: "/elsewhere" };
const asked = (more: object = {}): RawRecord =>
  sse("permission.asked", {
    id: "per_1",
    permission: "bash",
    patterns: ["touch made.txt"],
    metadata: { command: "touch made.txt" },
    always: ["touch *"],
    tool: { messageID: "msg_a", callID: "call_1" },
    ...more,
  });
const abort = [sent(`POST /session/${sessionID}/abort`), http(200, true)];
const begun = [...created, ...prompt("Go"), userMessage("msg_u"), status("busy"), assistant("msg_a")];

function eventsOf(records: readonly RawRecord[], agent: AgentDefinition = opencode): HarnessEvent[] {
  const steps = createSteps(agent, { live: "serve", cwd: "/repo", startedAt: timestamp });
  const all = [...steps.pushAll(records), steps.end({ exitCode: 0, stopped: true }, timestamp)];
  for (const { record, events, rule } of all)
    expect(record === undefined || events.length > 0 || rule !== undefined, JSON.stringify(record)).toBe(
      true,
    );
  const events = all.flatMap((step) => step.events);
  expectSoundSession(events);
  return events;
}

function ofType<T extends EventType>(events: readonly HarnessEvent[], type: T): EventOf<T>[] {
  return events.filter((event): event is EventOf<T> => event.type === type);
}

const endsOf = (events: readonly HarnessEvent[]) =>
  ofType(events, "turn_end").map(({ reason, text, failure }) => [reason, text ?? failure?.message]);

describe("the end of a turn", () => {
  it("is when the session is idle and its message is complete", () => {
    const events = eventsOf([...begun, ...said("Done."), assistant("msg_a", completed), ...idle]);
    expect(endsOf(events)).toEqual([["completed", "Done."]]);
    expect(ofType(events, "turn_end")[0]).toMatchObject({ costUsd: 0.5 });
  });

  it("waits for the message after an abort, whose parts still come", () => {
    const events = eventsOf([
      ...begun,
      tool({ status: "running", input }),
      ...abort,
      sse("session.error", aborted),
      ...idle,
      tool({ status: "completed", input, output: "aborted", metadata: { exit: null } }),
      assistant("msg_a", { ...completed, ...aborted }),
      ...idle,
      ...prompt("Next"),
      userMessage("msg_u2"),
      assistant("msg_b"),
      ...said("Next."),
      assistant("msg_b", completed),
      ...idle,
    ]);
    expect(endsOf(events)).toEqual([
      ["interrupted", undefined],
      ["completed", "Next."],
    ]);
    expect(ofType(events, "tool_end")).toMatchObject([{ isSuccess: false, turnId: "turn_1" }]);
  });

  it("is not an idle that belongs to the turn before", () => {
    const events = eventsOf([
      ...begun,
      ...said("One."),
      assistant("msg_a", completed),
      status("idle"),
      ...prompt("Two"),
      sse("session.idle"),
      ...idle,
      userMessage("msg_u2"),
      assistant("msg_b"),
      ...said("Two."),
      assistant("msg_b", completed),
      ...idle,
    ]);
    expect(endsOf(events)).toEqual([
      ["completed", "One."],
      ["completed", "Two."],
    ]);
  });

  it("is not an idle before a prompt that joined it, which may still be on its way or in Kilo's queue", () => {
    const joined = [...prompt("Also"), ...said("One."), assistant("msg_a", completed)];
    const rest = [assistant("msg_b"), ...said("Both."), assistant("msg_b", completed), ...idle];
    const late = [...begun, ...joined, ...idle, userMessage("msg_u2"), status("busy"), ...rest];
    expect(endsOf(eventsOf(late))).toEqual([["completed", "Both."]]);
    const queue = (...queued: string[]): RawRecord => sse("session.queue.changed", { queued });
    const queued = [
      ...begun,
      ...prompt("Also"),
      userMessage("msg_u2"),
      queue("msg_u2"),
      ...said("One."),
      assistant("msg_a", completed),
      ...idle,
      queue(),
      ...rest,
    ];
    expect(endsOf(eventsOf(queued, kilo))).toEqual([["completed", "Both."]]);
  });

  it("comes with one idle if the abort was at once", () => {
    const events = eventsOf([
      ...created,
      ...prompt("Go"),
      ...abort,
      userMessage("msg_u"),
      status("busy"),
      assistant("msg_a", { ...completed, ...aborted }),
      ...idle,
    ]);
    expect(endsOf(events)).toEqual([["interrupted", undefined]]);
  });

  it("comes without the prompt if Kilo dropped it", () => {
    const dropped = [...created, ...prompt("Go"), ...abort, ...idle, sse("session.drain.interrupted")];
    expect(endsOf(eventsOf(dropped, kilo))).toEqual([["interrupted", undefined]]);
  });

  it("is reported as far as the text came", () => {
    const events = eventsOf([
      ...begun,
      part({ id: "prt_x", type: "text", text: "", time: { start: 1 } }),
      sse("message.part.delta", { messageID: "msg_a", partID: "prt_x", field: "text", delta: "One two" }),
      ...abort,
      assistant("msg_a", { ...completed, ...aborted }),
      ...idle,
    ]);
    expect(endsOf(events)).toEqual([["interrupted", "One two"]]);
    expect(ofType(events, "agent").map(({ message }) => message)).toEqual(["One two"]);
  });
});

describe("failures", () => {
  const failure = (message: string): RawRecord =>
    sse("session.error", { error: { name: "UnknownError", data: { message } } });
  const stack = failure("UnknownError: UnknownError\n    at <anonymous> (/$bunfs/root/chunk.js:1:2)");

  it("of a prompt that is not even taken end the turn at once", () => {
    const events = eventsOf([...created, ...prompt("Go"), failure('Agent not found: "x"'), stack]);
    expect(endsOf(events)).toEqual([["failed", 'Agent not found: "x"']]);
    expect(ofType(events, "error")).toHaveLength(1);
  });

  it("are reported once, although the stack may come when the next prompt was sent", () => {
    const unknown = failure("Model not found: x");
    const events = eventsOf([
      ...[...created, ...prompt("One"), userMessage("msg_1"), unknown, status("idle")],
      ...[...prompt("Two"), sse("session.idle"), stack, userMessage("msg_2"), unknown, ...idle, stack],
    ]);
    expect(endsOf(events)).toEqual([
      ["failed", "Model not found: x"],
      ["failed", "Model not found: x"],
    ]);
    expect(ofType(events, "error")).toHaveLength(2);
    expect(ofType(events, "warning")).toEqual([]);
  });

  it("of the message and of the session are one", () => {
    const error = { name: "APIError", data: { message: "bad key", statusCode: 401 } };
    const events = eventsOf([
      ...begun,
      sse("session.error", { error }),
      ...idle,
      assistant("msg_a", { ...completed, error }),
      ...idle,
    ]);
    expect(endsOf(events)).toEqual([["failed", "bad key"]]);
    expect(ofType(events, "turn_end")[0]?.failure?.kind).toBe("auth");
    expect(ofType(events, "error")).toHaveLength(1);
  });

  it("of the request itself end the turn", () => {
    const [line] = prompt("Go");
    const refused = { name: "BadRequest", data: { message: "Expected array" } };
    expect(endsOf(eventsOf([...created, ...(line ? [line] : []), http(400, refused)]))).toEqual([
      ["failed", "Expected array"],
    ]);
  });

  it("of a joining prompt leave the turn alone", () => {
    const [line] = prompt("Also");
    const rest = [...said("Done."), assistant("msg_a", completed), ...idle];
    expect(endsOf(eventsOf([...begun, ...(line ? [line] : []), http(500, "no"), ...rest]))).toEqual([
      ["completed", "Done."],
    ]);
  });

  it("of the model are warnings while it is asked again", () => {
    const retry = sse("session.status", { status: { type: "retry", attempt: 2, message: "boom", next: 9 } });
    expect(ofType(eventsOf([...begun, retry]), "warning")).toMatchObject([
      { message: "request failed (boom): retry 2", turnId: "turn_1" },
    ]);
  });

  it("of no session are warnings", () => {
    const line = JSON.stringify({
      type: "session.error",
      properties: { error: { name: "McpError", data: {} } },
    });
    const events = eventsOf([...begun, { timestamp, stream: "received", line: `SSE ${line}` }]);
    expect(ofType(events, "warning")).toMatchObject([{ message: "McpError" }]);
  });
});

it("a text whose request was cut is withdrawn, and the next try has another id", () => {
  const attempt = (id: string, delta: string): RawRecord[] => [
    part({ id: `${id}_s`, type: "step-start" }),
    part({ id, type: "text", text: "", time: { start: 1 } }),
    sse("message.part.delta", { messageID: "msg_a", partID: id, field: "text", delta }),
  ];
  const events = eventsOf([
    ...begun,
    ...attempt("prt_1", "half "),
    ...attempt("prt_2", "half "),
    ...attempt("prt_3", "whole"),
    part({ id: "prt_3", type: "text", text: "whole", time: { start: 1, end: 2 } }),
    part({ id: "prt_1", type: "text", text: "half ", time: { start: 1, end: 2 } }),
    part({ id: "prt_f", type: "step-finish", reason: "stop", tokens: { input: 1 } }),
    assistant("msg_a", completed),
    ...idle,
  ]);
  expect(ofType(events, "text").map(({ messageId }) => messageId)).toEqual(["msg_a", "msg_a#2", "msg_a#3"]);
  expect(ofType(events, "warning").map(({ code }) => code)).toEqual(["text_withdrawn", "text_withdrawn"]);
  expect(ofType(events, "agent")).toMatchObject([{ message: "whole", messageId: "msg_a#3" }]);
});

describe("requests", () => {
  const running = tool({ status: "running", input });

  it.each([
    ["after its call", [running, asked()]],
    ["before its call", [asked(), tool({ status: "pending", input: {} }), running]],
  ])("for permission that come %s say all that the call would do", (_name, records) => {
    expect(ofType(eventsOf([...begun, ...records]), "request")).toMatchObject([
      {
        requestId: "per_1",
        name: "bash",
        input,
        operations: [{ type: "command", command: "touch made.txt", workingDirectory: "/elsewhere" }],
        choices: ["allow", "allow_always", "deny"],
      },
    ]);
  });

  it("do not wait longer than for a heartbeat", () => {
    const events = eventsOf([...begun, asked(), sse("server.heartbeat")]);
    expect(ofType(events, "request")).toMatchObject([
      { operations: [{ type: "command", command: "touch made.txt" }] },
    ]);
  });

  it.each([
    ["once", "allowed"],
    ["always", "allowed"],
    ["reject", "denied"],
  ])("answered with %s are %s", (reply, outcome) => {
    const answer = sent(`POST /permission/per_1/reply ${JSON.stringify({ reply, message: "why" })}`, {
      by: "policy",
      rule: "command",
    });
    const replied = sse("permission.replied", { requestID: "per_1", reply });
    const events = eventsOf([...begun, running, asked(), answer, http(200, true), replied]);
    expect(ofType(events, "request_end")).toMatchObject([
      { outcome, by: "policy", rule: "command", message: "why" },
    ]);
  });

  it("that the server settles by itself are withdrawn, as are those that an abort clears away", () => {
    const replied = sse("permission.replied", { requestID: "per_1", reply: "reject" });
    const gone = { outcome: "withdrawn", by: "agent" };
    expect(ofType(eventsOf([...begun, running, asked(), replied]), "request_end")).toMatchObject([gone]);
    const cleared = sent('POST /permission/per_1/reply {"reply":"reject"}');
    expect(
      ofType(eventsOf([...begun, running, asked(), ...abort, cleared, http(200, true)]), "request_end"),
    ).toMatchObject([gone]);
  });

  it("of other sessions are not ours", () => {
    expect(ofType(eventsOf([...begun, asked({ sessionID: "ses_other" })]), "request")).toEqual([]);
  });

  it("name the server and the tool of an MCP call", () => {
    const servers = [sent("GET /mcp"), http(200, { "my server": { status: "connected" } })];
    const mcp = tool({ status: "running", input: { q: 1 } }, { tool: "my_server_look_up" });
    const request = asked({ permission: "my_server_look_up", metadata: {} });
    expect(ofType(eventsOf([...servers, ...begun, mcp, request]), "request")).toMatchObject([
      { name: "my_server_look_up", operations: [{ type: "mcp", server: "my server", tool: "look_up" }] },
    ]);
  });

  it.each([
    ["webfetch", { url: "http://a/" }, [{ type: "fetch", url: "http://a/" }]],
    ["websearch", { query: "x" }, [{ type: "fetch" }]],
    ["read", { filePath: "a.txt" }, [{ type: "read", path: "/repo/a.txt" }]],
    ["grep", { pattern: "x", path: "src" }, [{ type: "search", query: "x", path: "/repo/src" }]],
    ["task", { prompt: "x" }, undefined],
  ])("for %s", (name, given, operations) => {
    const call = tool({ status: "running", input: given }, { tool: name });
    const [request] = ofType(
      eventsOf([...begun, call, asked({ permission: name, metadata: {} })]),
      "request",
    );
    expect(request?.operations).toEqual(operations);
  });

  it("for a path outside the project say so", () => {
    const outside = asked({ permission: "external_directory", patterns: ["/etc/*"], always: [] });
    expect(ofType(eventsOf([...begun, running, outside]), "request")).toMatchObject([
      { name: "bash", message: "external_directory: /etc/*", choices: ["allow", "deny"] },
    ]);
  });

  it("rejected without a reason end the turn, with a reason they do not", () => {
    const end = (error: string): RawRecord[] => [
      running,
      tool({ status: "error", input, error }),
      part({ id: "prt_f", type: "step-finish", reason: "tool-calls", tokens: { input: 1 } }),
      assistant("msg_a", completed),
    ];
    const plain = "The user rejected permission to use this specific tool call.";
    const events = eventsOf([...begun, ...end(plain), ...idle]);
    expect(ofType(events, "turn_end")).toMatchObject([{ reason: "failed", failure: { kind: "permission" } }]);
    const reasoned = `${plain.slice(0, -1)} with the following feedback: Use mkdir`;
    const answered = [assistant("msg_b"), ...said("Well."), assistant("msg_b", completed), ...idle];
    expect(endsOf(eventsOf([...begun, ...end(reasoned), ...answered]))).toEqual([["completed", "Well."]]);
  });
});

describe("after the stream of events was opened again", () => {
  const state = (body: unknown): RawRecord[] => [sent("GET /session/status"), http(200, body)];

  it("a turn that has ended meanwhile ends, with what was missed", () => {
    expect(endsOf(eventsOf([...begun, ...said("Done."), ...state({})]))).toEqual([["completed", "Done."]]);
  });

  it("a turn that goes on, or has not begun, does not", () => {
    const working = eventsOf([...begun, ...state({ [sessionID]: { type: "busy" } }), ...said("On.")]);
    expect(ofType(working, "agent")).toMatchObject([{ message: "On.", turnId: "turn_1" }]);
    const waiting = eventsOf([...created, ...prompt("Go"), ...state({}), userMessage("m"), ...said("On.")]);
    expect(ofType(waiting, "agent")).toMatchObject([{ message: "On.", turnId: "turn_1" }]);
  });

  it("requests that were missed are reported, once", () => {
    const open = { id: "per_9", sessionID, permission: "bash", patterns: [], metadata: {}, always: [] };
    const list = [sent("GET /permission"), http(200, [open, "garbage"])];
    const events = eventsOf([...begun, ...list, ...list]);
    expect(ofType(events, "request").map(({ requestId }) => requestId)).toEqual(["per_9"]);
  });
});

describe("by itself", () => {
  const done = [...begun, ...said("Done."), assistant("msg_a", completed), ...idle];

  it("the agent may begin a turn", () => {
    const events = eventsOf([
      ...done,
      assistant("msg_b"),
      ...said("By the way."),
      assistant("msg_b", completed),
      ...idle,
    ]);
    expect(ofType(events, "turn").map(({ origin, prompt: text }) => [origin, text])).toEqual([
      ["user", "Go"],
      ["agent", undefined],
    ]);
    expect(endsOf(events)[1]).toEqual(["completed", "By the way."]);
  });

  it("late records begin nothing", () => {
    const late = [
      assistant("msg_a", completed),
      ...said("Late."),
      tool({ status: "running", input }),
      ...idle,
    ];
    expect(ofType(eventsOf([...done, ...late]), "turn")).toHaveLength(1);
  });
});

it("a step that is reported twice counts once", () => {
  const events = eventsOf([
    ...begun,
    ...said("A."),
    ...said("A.").slice(2),
    assistant("msg_a", completed),
    ...idle,
  ]);
  expect(ofType(events, "usage").filter(({ scope }) => scope === "turn")).toMatchObject([
    { outputTokens: 2 },
  ]);
});

it("lines of standard output and unknown events are kept", () => {
  const stdout = (line: string): RawRecord => ({ timestamp, stream: "stdout", line });
  const events = eventsOf([
    stdout("opencode server listening on http://127.0.0.1:4096"),
    stdout("something else"),
    stdout('{"a":1}'),
    ...begun,
    sse("session.brand.new", { a: 1 }),
    { timestamp, stream: "received", line: "SSE nonsense" },
    http(200, "an answer to nothing"),
  ]);
  expect(ofType(events, "unknown").map(({ raw }) => raw)).toMatchObject([
    "something else",
    { a: 1 },
    { type: "session.brand.new" },
    "SSE nonsense",
  ]);
});
