import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { claudeLive } from "../../../src/agents/claude/live/protocol.js";
import type { Answer, LiveTask, SentNote, SessionRequest } from "../../../src/agents/live-contract.js";
import { readTranscript, transcriptNames } from "../../support/transcripts.js";

const folders = ["stream-json-claude-2.1.197", "stream-json-claude-2.1.325"];

function start(more: Partial<LiveTask> = {}) {
  const sent: { line: { [key: string]: unknown }; note: SentNote | undefined }[] = [];
  const states: string[] = [];
  const task: LiveTask = {
    cwd: "/repo",
    permissions: "ask",
    extraArgs: [],
    password: "seed",
    directory: "/none",
    ...more,
  };
  const peer = claudeLive.createPeer(
    {
      send: (line, note) => sent.push({ line: JSON.parse(line), note }),
      ready: () => states.push("ready"),
      fail: (message) => states.push(`failed: ${message}`),
    },
    task,
  );
  const receive = (value: object): void => peer.received(JSON.stringify(value));
  const lines = (): unknown[] => sent.map(({ line }) => line);
  return { peer, sent, states, receive, lines, last: () => sent.at(-1)?.line };
}

/** After the handshake. */
function begin(more: Partial<LiveTask> = {}) {
  const client = start(more);
  client.peer.open();
  client.receive(success("harness_1", {}));
  client.sent.length = 0;
  return client;
}

const success = (requestId: string, response: object) => ({
  type: "control_response",
  response: { subtype: "success", request_id: requestId, response },
});
const refusal = (requestId: string, error: string) => ({
  type: "control_response",
  response: { subtype: "error", request_id: requestId, error },
});
const asks = (requestId: string, request: object) => ({
  type: "control_request",
  request_id: requestId,
  request,
});
const bash = { subtype: "can_use_tool", tool_name: "Bash", input: { command: "make" }, tool_use_id: "c1" };
const hook = (name: string, input: object, callId = "c1") =>
  asks("h", {
    subtype: "hook_callback",
    callback_id: "harness_before_tool",
    input: { hook_event_name: "PreToolUse", cwd: "/repo", tool_name: name, tool_input: input },
    tool_use_id: callId,
  });
const request = (requestId: string, callId = "c1"): SessionRequest => ({
  type: "request",
  timestamp: "2026-01-01T00:00:00.000Z",
  runId: "run",
  seq: 0,
  requestId,
  kind: "permission",
  name: "Bash",
  callId,
  choices: [],
});
const responseIn = (line: unknown): unknown =>
  (line as { response?: { response?: unknown } } | undefined)?.response?.response;

describe("the handshake", () => {
  it("asks for a hook before every tool only where the agent is to ask", () => {
    const hooks = (permissions: LiveTask["permissions"]) => {
      const { peer, last } = start({ permissions });
      peer.open();
      return last()?.["request"];
    };
    expect(hooks("ask")).toEqual({
      subtype: "initialize",
      hooks: {
        PreToolUse: [{ hookCallbackIds: ["harness_before_tool"], timeout: 1_000_000, onFailure: "block" }],
      },
    });
    expect(hooks("full-access")).toEqual({ subtype: "initialize", hooks: null });
    expect(hooks("read-only")).toEqual({ subtype: "initialize", hooks: null });
  });

  it("is complete with the first answer, and only once", () => {
    const { peer, states, receive } = start();
    peer.open();
    receive(success("another", {}));
    expect(states).toEqual([]);
    receive(success("harness_1", {}));
    receive(success("harness_1", {}));
    receive({ type: "result", is_error: true, errors: ["later"] });
    expect(states).toEqual(["ready"]);
  });

  it("fails if it is refused, or if a result comes first", () => {
    const refused = start();
    refused.peer.open();
    refused.receive(refusal("harness_1", "no"));
    expect(refused.states).toEqual(["failed: Claude Code refused to begin a session: no"]);

    const unknown = start({ resume: "none" });
    unknown.peer.open();
    unknown.receive({ type: "result", is_error: true, errors: ["No conversation found"] });
    unknown.receive(success("harness_1", {}));
    expect(unknown.states).toEqual(["failed: No conversation found"]);
  });
});

describe("the hook before a tool", () => {
  const decisionOf = (client: ReturnType<typeof begin>, name: string, input: object, callId?: string) => {
    client.receive(hook(name, input, callId));
    return responseIn(client.last());
  };
  const decided = (permissionDecision: string) => ({
    hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision },
  });

  it("makes Claude Code ask for whatever can read, write, run or connect, and for tools that are not known", () => {
    const client = begin();
    for (const name of ["Read", "Bash", "Write", "Grep", "WebFetch", "mcp__a__b", "Skill", "SomethingNew"])
      expect(decisionOf(client, name, {}), name).toEqual(decided("ask"));
  });

  it("leaves calls alone that do nothing by themselves", () => {
    const client = begin();
    for (const name of ["AskUserQuestion", "ExitPlanMode", "TaskCreate", "TodoWrite", "Agent", "ToolSearch"])
      expect(decisionOf(client, name, {}), name).toEqual({});
    expect(decisionOf(client, "Agent", { isolation: "worktree" })).toEqual(decided("ask"));
  });

  it("allows what was allowed for the rest of the session: the same operations, also in later turns", () => {
    const client = begin();
    const allowAlways = (name: string, input: object, answer: Answer) => {
      expect(decisionOf(client, name, input)).toEqual(decided("ask"));
      client.receive(asks("r", { ...bash, tool_name: name, input }));
      client.peer.answer(request("r"), answer, {});
      client.receive({ type: "result" });
    };
    allowAlways("Bash", { command: "make", description: "Build" }, { allow: true, always: true });
    allowAlways("Edit", { file_path: "/repo/a.ts", new_string: "1" }, { allow: true, always: true });
    allowAlways("mcp__a__b", { x: 1 }, { allow: true, always: true });
    allowAlways("SomethingNew", { x: 1 }, { allow: true, always: true });
    allowAlways("Bash", { command: "once" }, { allow: true });
    allowAlways("Bash", { command: "changed" }, { allow: true, always: true, input: { command: "other" } });
    expect(decisionOf(client, "Bash", { command: "make", description: "Again" })).toEqual(decided("allow"));
    expect(decisionOf(client, "Bash", { command: "make", dangerouslyDisableSandbox: true })).toEqual(
      decided("ask"),
    );
    expect(decisionOf(client, "Write", { file_path: "/repo/a.ts", content: "2" })).toEqual(decided("allow"));
    expect(decisionOf(client, "mcp__a__b", { x: 2 })).toEqual(decided("allow"));
    expect(decisionOf(client, "SomethingNew", { x: 1 })).toEqual(decided("allow"));
    expect(decisionOf(client, "SomethingNew", { x: 2 })).toEqual(decided("ask"));
    expect(decisionOf(client, "Bash", { command: "make && git push" })).toEqual(decided("ask"));
    expect(decisionOf(client, "Write", { file_path: "/repo/b.ts" })).toEqual(decided("ask"));
    expect(decisionOf(client, "Bash", { command: "once" })).toEqual(decided("ask"));
    expect(decisionOf(client, "Bash", { command: "changed" })).toEqual(decided("ask"));
  });
});

describe("answers", () => {
  const answered = (asked: object, answer: Answer): unknown => {
    const client = begin();
    client.receive(asks("r", asked));
    client.peer.answer(request("r"), answer, { by: "policy", rule: "x" });
    expect(client.sent.at(-1)?.note).toEqual({ by: "policy", rule: "x" });
    return responseIn(client.last());
  };
  const questions = [{ question: "Which?" }];
  const question = { ...bash, tool_name: "AskUserQuestion", input: { questions } };

  it.each<[string, object, Answer, object]>([
    ["allow", bash, { allow: true }, { behavior: "allow", updatedInput: { command: "make" } }],
    [
      "allow with another input",
      bash,
      { allow: true, input: { command: "ls" } },
      { behavior: "allow", updatedInput: { command: "ls" } },
    ],
    ["deny", bash, { allow: false, message: "No." }, { behavior: "deny", message: "No." }],
    [
      "deny and interrupt",
      bash,
      { allow: false, interrupt: true },
      { behavior: "deny", message: "The user does not allow this.", interrupt: true },
    ],
    [
      "answers, several as one text",
      question,
      { answers: { "Which?": ["A", "B"] } },
      { behavior: "allow", updatedInput: { questions, answers: { "Which?": "A, B" } } },
    ],
    [
      "no answer",
      question,
      { decline: true },
      { behavior: "deny", message: "The user does not want to answer." },
    ],
    [
      "a form",
      { subtype: "elicitation" },
      { content: { name: "Ada" } },
      { action: "accept", content: { name: "Ada" } },
    ],
    ["no form", { subtype: "elicitation" }, { decline: true }, { action: "decline" }],
  ])("%s", (_name, asked, answer, expected) => expect(answered(asked, answer)).toEqual(expected));

  it("send numbers back as they came", () => {
    const lines: string[] = [];
    const peer = claudeLive.createPeer(
      { send: (line) => lines.push(line), ready() {}, fail() {} },
      { cwd: "/", permissions: "ask", extraArgs: [], password: "", directory: "" },
    );
    peer.received(
      '{"type":"control_request","request_id":"r","request":{"subtype":"can_use_tool","tool_name":"x","input":{"id":12345678901234567890}}}',
    );
    peer.answer(request("r"), { allow: true }, {});
    expect(lines.at(-1)).toContain('"updatedInput":{"id":12345678901234567890}');
  });

  it("are sent once, and not to requests that were taken back or never made", () => {
    const { peer, receive, lines } = begin();
    receive(asks("r1", bash));
    peer.answer(request("r1"), { allow: true }, {});
    peer.answer(request("r1"), { allow: false }, {});
    receive(asks("r2", bash));
    receive({ type: "control_cancel_request", request_id: "r2" });
    peer.answer(request("r2"), { allow: true }, {});
    peer.answer(request("never"), { allow: true }, {});
    expect(lines()).toHaveLength(1);
  });

  it("refuse requests that are not known, so that the agent does not wait", () => {
    const { receive, last } = begin();
    receive(asks("r", { subtype: "something_new" }));
    expect(last()).toEqual(refusal("r", 'harness does not know the request "something_new"'));
  });
});

describe("turns", () => {
  const message = { id: "m1" };

  it("begin with a user message that has an id of its own, in every session", () => {
    const uuids = ["one", "another"].flatMap((password) => {
      const { peer, sent } = begin({ password });
      peer.prompt("Hello", "turn_1");
      peer.prompt("Hello", "turn_2");
      expect(sent[0]).toMatchObject({
        line: { type: "user", message: { role: "user", content: [{ type: "text", text: "Hello" }] } },
        note: { turnId: "turn_1" },
      });
      return sent.map(({ line }) => String(line["uuid"]));
    });
    expect(new Set(uuids).size).toBe(4);
    for (const uuid of uuids)
      expect(uuid).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  });

  it("are interrupted, and prompts that wait are taken back first", async () => {
    const { peer, receive, sent, lines } = begin();
    peer.prompt("Go", "turn_1");
    receive({ type: "system", subtype: "init" });
    await peer.steer?.("joins");
    receive({ type: "user", message: { content: [{ type: "tool_result", tool_use_id: "c" }] } });
    receive({ type: "stream_event", event: { type: "message_start", message } });
    await peer.steer?.("waits");
    const uuid = sent.at(-1)?.line["uuid"];
    sent.length = 0;
    peer.interrupt();
    expect(lines()).toMatchObject([
      { request: { subtype: "cancel_async_message", message_uuid: uuid } },
      { request: { subtype: "interrupt" } },
    ]);
  });
});

describe("the model", () => {
  it("is set when the agent agrees, and not when it refuses or the session is closed", async () => {
    const { peer, receive, last } = begin();
    const agreed = peer.setModel?.("opus");
    expect(last()).toMatchObject({ request: { subtype: "set_model", model: "opus" } });
    receive(success("harness_2", {}));
    await expect(agreed).resolves.toBeUndefined();
    const refused = peer.setModel?.("nonsense");
    receive(refusal("harness_3", "no such model"));
    await expect(refused).rejects.toThrow("no such model");
    const late = peer.setModel?.("haiku");
    peer.close();
    await expect(late).rejects.toThrow("the session was closed");
  });
});

it("closing stops what runs in the background", () => {
  const { peer, receive, lines } = begin();
  const task = (subtype: string, more: object) => receive({ type: "system", subtype, ...more });
  task("task_started", { task_id: "t1" });
  task("task_started", { task_id: "t2" });
  task("task_notification", { task_id: "t1", status: "completed" });
  task("task_started", { task_id: "t3" });
  task("task_updated", { task_id: "t3", patch: { status: "killed" } });
  peer.close();
  expect(lines()).toMatchObject([{ request: { subtype: "stop_task", task_id: "t2" } }]);
});

describe.each(folders.flatMap((folder) => transcriptNames(folder).map((scenario) => ({ folder, scenario }))))(
  "$folder/$scenario",
  ({ folder, scenario }) => {
    const { lines } = readTranscript(folder, scenario);

    it("gets an answer to each of its requests, once", () => {
      const { peer, receive, sent } = start();
      peer.open();
      receive(success("harness_1", {}));
      const asked: string[] = [];
      for (const { dir, line } of lines) {
        if (dir !== "out") continue;
        peer.received(line);
        const { type, request_id: id } = JSON.parse(line);
        if (type !== "control_request") continue;
        asked.push(id);
        peer.answer(request(id), { allow: true }, {});
      }
      const answers = sent.flatMap(({ line }) =>
        line["type"] === "control_response" ? [(line["response"] as { request_id: string }).request_id] : [],
      );
      expect(answers).toEqual(asked);
    });
  },
);

it("a peer never throws, whatever the agent sends", () => {
  const whole = folders.flatMap((folder) =>
    ["permission-allow", "background", "question"].flatMap((scenario) =>
      readTranscript(folder, scenario).lines.map(({ line }) => line),
    ),
  );
  const line = fc.oneof(
    fc.string(),
    fc.json(),
    fc.constantFrom(...whole),
    fc
      .tuple(fc.constantFrom(...whole), fc.constantFrom("null", "[]", "0", '""', "{}"))
      .map(([text, value]) => text.replace(/\{[^{}]*\}/, value)),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), (received) => {
      const { peer } = start();
      peer.open();
      for (const text of received) peer.received(text);
      peer.interrupt();
      peer.close();
    }),
    { numRuns: 200 },
  );
});
