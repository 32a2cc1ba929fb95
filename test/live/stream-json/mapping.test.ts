import { describe, expect, it } from "vitest";
import { claude } from "../../../src/agents/claude/definition.js";
import { createSteps } from "../../../src/agents/steps.js";
import type { EventOf, EventType, HarnessEvent } from "../../../src/events/event.js";
import type { RawRecord } from "../../../src/events/raw-record.js";
import { expectSoundSession, translateTranscript } from "../../support/live-conformance.js";
import { readTranscript } from "../../support/transcripts.js";
import { summaryOf } from "./summary.js";

const timestamp = "2026-01-01T00:00:00.000Z";
const sent = (value: object, more: { turnId?: string; by?: "policy"; rule?: string } = {}): RawRecord => ({
  timestamp,
  stream: "sent",
  line: JSON.stringify(value),
  ...more,
});
const out = (value: object): RawRecord => ({ timestamp, stream: "stdout", line: JSON.stringify(value) });
const prompt = (text: string, uuid?: string): RawRecord =>
  sent({ type: "user", message: { role: "user", content: [{ type: "text", text }] }, uuid });
const init = out({ type: "system", subtype: "init", session_id: "s1", model: "opus", cwd: "/repo" });
const says = (text: string, id: string): RawRecord =>
  out({ type: "assistant", message: { id, content: [{ type: "text", text }] } });
const calls = (id: string, name: string, input: object, parent?: string): RawRecord =>
  out({
    type: "assistant",
    message: { id: `m-${id}`, content: [{ type: "tool_use", id, name, input }] },
    parent_tool_use_id: parent ?? null,
  });
const returns = (id: string, content = "ok"): RawRecord =>
  out({ type: "user", message: { content: [{ type: "tool_result", tool_use_id: id, content }] } });
const result = (text: string, more: object = {}): RawRecord =>
  out({
    type: "result",
    subtype: "success",
    is_error: false,
    result: text,
    session_id: "s1",
    usage: { input_tokens: 10, output_tokens: 5 },
    ...more,
  });
const asks = (requestId: string, name: string, input: object, more: object = {}): RawRecord =>
  out({
    type: "control_request",
    request_id: requestId,
    request: { subtype: "can_use_tool", tool_name: name, input, ...more },
  });
const answer = (requestId: string, response: object, more = {}): RawRecord =>
  sent({ type: "control_response", response: { subtype: "success", request_id: requestId, response } }, more);

function eventsOf(records: RawRecord[]): HarnessEvent[] {
  const steps = createSteps(claude, { live: "stream-json", startedAt: timestamp, cwd: "/repo" });
  const events = [...steps.pushAll(records), steps.end({ exitCode: 0 }, timestamp)].flatMap(
    (step) => step.events,
  );
  expectSoundSession(events);
  return events;
}

function ofType<T extends EventType>(events: readonly HarnessEvent[], type: T): EventOf<T>[] {
  return events.filter((event): event is EventOf<T> => event.type === type);
}

describe("prompts that were sent while a turn ran", () => {
  it("have joined it if the model was asked after a tool", () => {
    const events = eventsOf([
      prompt("one", "u1"),
      init,
      calls("c1", "Bash", { command: "make" }),
      prompt("also this", "u2"),
      returns("c1"),
      says("Both.", "m2"),
      result("Both."),
      init,
      says("By myself.", "m3"),
      result("By myself.", { origin: { kind: "task-notification" } }),
    ]);
    expect(summaryOf(events)).toEqual([
      "  steered: also this",
      "one → completed: Both. [15]",
      "(agent) → completed: By myself. [15]",
      "session ok",
    ]);
  });

  it("are the next turn if no tool ran any more, also after an interrupt", () => {
    const aborted = { subtype: "error_during_execution", is_error: true, terminal_reason: "aborted_tools" };
    const events = eventsOf([
      prompt("one"),
      init,
      calls("c1", "Bash", { command: "make" }),
      prompt("next"),
      sent({ type: "control_request", request_id: "i", request: { subtype: "interrupt" } }),
      returns("c1", "rejected"),
      result("", aborted),
      init,
      says("Next.", "m2"),
      result("Next."),
    ]);
    expect(summaryOf(events)).toEqual([
      "  steered: next",
      "one → interrupted: - [15]",
      "next → completed: Next. [15]",
      "session ok",
    ]);
  });

  it("are no turn if they were taken back", () => {
    const events = eventsOf([
      prompt("one"),
      init,
      prompt("never", "u2"),
      sent({
        type: "control_request",
        request_id: "c",
        request: { subtype: "cancel_async_message", message_uuid: "u2" },
      }),
      out({
        type: "control_response",
        response: { subtype: "success", request_id: "c", response: { cancelled: true } },
      }),
      result("One."),
      init,
      result("Own."),
    ]);
    expect(ofType(events, "turn").map(({ prompt: text, origin }) => [text, origin])).toEqual([
      ["one", "user"],
      [undefined, "agent"],
    ]);
  });
});

describe("a prompt that is sent when Claude Code has just begun a turn by itself", () => {
  const own = { origin: { kind: "task-notification" } };
  const before = [prompt("one"), init, result("One.")];

  it("keeps its turn until its own result, and the turn has the sum", () => {
    const records = [...before, prompt("two"), init, says("Own.", "m1"), result("Own.", own)];
    const events = eventsOf([...records, init, says("Two.", "m2"), result("Two.")]);
    expect(summaryOf(events)).toEqual([
      "one → completed: One. [15]",
      "two → completed: Two. [30]",
      "session ok",
    ]);
  });

  it("ends with that turn if it has joined it", () => {
    const events = eventsOf([
      ...before,
      prompt("two"),
      init,
      calls("c1", "Bash", { command: "make" }),
      returns("c1"),
      says("Both.", "m1"),
      result("Both.", own),
    ]);
    expect(summaryOf(events).at(1)).toBe("two → completed: Both. [15]");
  });

  it("is found by its id, if the result names the prompts that it answers", () => {
    const records = [...before, prompt("two", "u2"), init, result("Left.", { user_message_uuids: ["u1"] })];
    const events = eventsOf([...records, init, result("Two.", { user_message_uuids: ["u2"] })]);
    expect(summaryOf(events).at(1)).toBe("two → completed: Two. [30]");
  });
});

describe("requests", () => {
  it("say what would be done, where, and for which subagent", () => {
    const events = eventsOf([
      prompt("one"),
      init,
      calls("c0", "Bash", { command: "cd sub" }),
      out({
        type: "user",
        message: { content: [{ type: "tool_result", tool_use_id: "c0", content: "" }] },
        tool_use_result: { stdout: "", stderr: "" },
      }),
      calls("a1", "Agent", { prompt: "look" }),
      out({
        type: "system",
        subtype: "task_started",
        task_id: "t1",
        tool_use_id: "a1",
        task_type: "local_agent",
      }),
      asks("r1", "Bash", { command: "npm test" }, { tool_use_id: "c1", agent_id: "t1" }),
      asks("r2", "Bash", { command: "cat .env" }),
      asks("r2b", "Read", { file_path: ".env" }),
      asks("r3", "WebSearch", { query: "x" }),
      asks("r4", "mcp__my_server__do_it", {}),
      asks("r5", "SomethingNew", { a: 1 }, { decision_reason: "It is new." }),
    ]);
    expect(
      ofType(events, "request").map(({ operations, message, parentCallId }) => [
        operations,
        message,
        parentCallId,
      ]),
    ).toEqual([
      [[{ type: "command", command: "npm test", workingDirectory: "/repo/sub" }], undefined, "a1"],
      [[{ type: "command", command: "cat .env", workingDirectory: "/repo/sub" }], undefined, undefined],
      [[{ type: "read", path: "/repo/sub/.env" }], undefined, undefined],
      [[{ type: "fetch" }], undefined, undefined],
      [[{ type: "mcp", server: "my_server", tool: "do_it" }], undefined, undefined],
      [undefined, "It is new.", undefined],
    ]);
  });

  it("end once, with who decided and why", () => {
    const events = eventsOf([
      prompt("one"),
      init,
      asks("r1", "Bash", { command: "git push" }),
      answer("r1", { behavior: "deny", message: "Not now." }, { by: "policy", rule: "command: git push *" }),
      answer("r1", { behavior: "allow", updatedInput: {} }),
      out({ type: "control_cancel_request", request_id: "r1" }),
    ]);
    expect(ofType(events, "request_end")).toMatchObject([
      { outcome: "denied", by: "policy", rule: "command: git push *", message: "Not now." },
    ]);
  });

  it("of an MCP server for data are forms", () => {
    const request = {
      subtype: "elicitation",
      mcp_server_name: "demo",
      message: "What is your name?",
      requested_schema: { type: "object" },
    };
    const events = eventsOf([
      prompt("one"),
      init,
      out({ type: "control_request", request_id: "r1", request }),
      answer("r1", { action: "accept", content: { name: "Ada" } }),
      out({ type: "control_request", request_id: "r2", request }),
      answer("r2", { action: "decline" }),
    ]);
    expect(ofType(events, "request")[0]).toMatchObject({
      kind: "form",
      name: "demo",
      message: "What is your name?",
      schema: { type: "object" },
    });
    expect(ofType(events, "request_end").map(({ outcome }) => outcome)).toEqual(["answered", "denied"]);
  });

  it("of the client's own hooks and servers concern nobody, and unknown ones are kept", () => {
    const asked = (subtype: string) =>
      out({ type: "control_request", request_id: subtype, request: { subtype } });
    const events = eventsOf([asked("hook_callback"), asked("mcp_message"), asked("something_new")]);
    expect(ofType(events, "request")).toEqual([]);
    expect(ofType(events, "unknown")).toHaveLength(1);
  });
});

describe("the cost of a turn", () => {
  const costs = (records: RawRecord[]) => ofType(eventsOf(records), "turn_end").map(({ costUsd }) => costUsd);
  const total = (costUsd: number, tokens: number) =>
    result("x", { total_cost_usd: costUsd, modelUsage: { opus: { inputTokens: tokens, costUSD: costUsd } } });

  it("is what has been added to that of the process, and starts again after /clear", () => {
    const records = [prompt("a"), init, total(0.000756, 10), prompt("b"), init, total(0.0017, 30)];
    expect(
      costs([...records, prompt("/clear"), init, total(0, 0), prompt("c"), init, total(0.5, 10)]),
    ).toEqual([0.000756, 0.000944, 0, 0.5]);
  });

  it("does not have earlier runs of a resumed session", () => {
    const record = result("x", {
      total_cost_usd: 3,
      modelUsage: { opus: { inputTokens: 900, costUSD: 3 } },
      model_usage_since_last_result: { opus: { inputTokens: 10, outputTokens: 5, costUSD: 0.25 } },
    });
    expect(costs([prompt("a"), init, record])).toEqual([0.25]);
  });
});

it("a subagent that goes on in the background ends its call after the turn, outside of it", () => {
  const transcript = readTranscript("stream-json-claude-2.1.325", "subagent");
  const events = translateTranscript(claude, transcript).flatMap((step) => step.events);
  const ends = ofType(events, "tool_end").map(({ name, isSuccess, turnId }) => [name, isSuccess, turnId]);
  expect(ends).toEqual([
    ["Agent", true, "turn_1"],
    ["Bash", true, undefined],
  ]);
});

it("a task that is stopped between turns is a warning", () => {
  const transcript = readTranscript("stream-json-claude-2.1.325", "background-end");
  const events = translateTranscript(claude, transcript).flatMap((step) => step.events);
  expect(ofType(events, "warning").map(({ code }) => code)).toContain("background_stopped");
});

it("the stream of a live session gives the same operations as that of a one-shot run", () => {
  const about = (scenario: string) =>
    translateTranscript(claude, readTranscript("stream-json-claude-2.1.325", scenario))
      .flatMap((step) => step.events)
      .filter(({ type }) => ["command", "read", "write", "search", "list", "agent"].includes(type))
      .map((event) => ({ ...event, ...neutral }));
  expect(about("live-for-comparison")).toEqual(about("oneshot-for-comparison"));
});

const neutral = {
  timestamp: "",
  seq: 0,
  line: 0,
  sessionId: "",
  turnId: "",
  callId: "",
  messageId: "",
};
