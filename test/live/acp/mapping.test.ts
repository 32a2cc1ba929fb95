import { describe, expect, it } from "vitest";
import { acp } from "../../../src/agents/acp/definition.js";
import { copilot } from "../../../src/agents/copilot/definition.js";
import type { AgentDefinition } from "../../../src/agents/definition.js";
import { gemini } from "../../../src/agents/gemini/definition.js";
import { goose } from "../../../src/agents/goose/definition.js";
import { createSteps } from "../../../src/agents/steps.js";
import type { EventOf, EventType, HarnessEvent } from "../../../src/events/event.js";
import type { RawRecord } from "../../../src/events/raw-record.js";

/** A message, and who sent it. */
type Said = readonly ["harness" | "agent", object];

function read(agent: AgentDefinition, messages: readonly Said[]): HarnessEvent[] {
  const steps = createSteps(agent, { live: "acp", cwd: "/workspace", runId: "run" });
  const timestamp = "2026-01-01T00:00:00.000Z";
  const records = messages.map(([who, message]): RawRecord => {
    const line = JSON.stringify({ jsonrpc: "2.0", ...message });
    return { timestamp, stream: who === "agent" ? "stdout" : "sent", line };
  });
  const exit: RawRecord = { timestamp, stream: "exit", exitCode: 0, signal: null, reason: "completed" };
  return steps.pushAll([...records, exit]).flatMap((step) => step.events);
}

function only<T extends EventType>(events: readonly HarnessEvent[], type: T): EventOf<T>[] {
  return events.filter((event): event is EventOf<T> => event.type === type);
}

const sent = (id: number, method: string, params: object = {}): Said => ["harness", { id, method, params }];
const answer = (id: number, result: object): Said => ["agent", { id, result }];
const refusal = (id: number, error: object): Said => ["agent", { id, error }];
const update = (content: object, sessionId = "s"): Said => [
  "agent",
  { method: "session/update", params: { sessionId, update: content } },
];
const say = (text: string, more: object = {}): Said =>
  update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text }, ...more });
const prompt = (id: number, text = "Go"): Said =>
  sent(id, "session/prompt", { sessionId: "s", prompt: [{ type: "text", text }] });
const usage = (count: number) => ({ inputTokens: count, outputTokens: 1, totalTokens: count + 1 });
const done = (id: number, more: object = {}): Said => answer(id, { stopReason: "end_turn", ...more });

/** A session with this agent, before its first prompt. */
const opening = (name = "some-agent"): Said[] => [
  sent(1, "initialize"),
  answer(1, { protocolVersion: 1, agentInfo: { name, version: "1.2.3" } }),
  sent(2, "session/new", { cwd: "/workspace" }),
  answer(2, { sessionId: "s" }),
];

describe("who wrote a text", () => {
  it("is Copilot if it begins with Error and the turn ends without figures", () => {
    const words = "Error: Authentication failed (HTTP 401).";
    const failed = read(copilot, [...opening("Copilot"), prompt(3), say(words), done(3)]);
    expect(only(failed, "turn_end")[0]).toMatchObject({
      reason: "failed",
      failure: { kind: "auth", message: words },
    });
    expect(only(failed, "text")).toEqual([]);
    const said = read(copilot, [...opening("Copilot"), prompt(3), say(words), done(3, { usage: usage(10) })]);
    expect(only(said, "turn_end")[0]).toMatchObject({ reason: "completed", text: words });
  });

  it("is the model if it goes on speaking", () => {
    const said = [say("Error: 404 is what "), say("the server sends.")];
    const events = read(copilot, [...opening("Copilot"), prompt(3), ...said, done(3)]);
    expect(only(events, "turn_end")[0]).toMatchObject({
      reason: "completed",
      text: "Error: 404 is what the server sends.",
    });
  });

  it("is Goose if it has an id of Goose's and the turn has no figures, unless Goose answers a command", () => {
    const own = say("Something new went wrong.", { messageId: "msg_3ad4ef1f-f62d-470e-b3f7-e27d38f869d4" });
    const reasonOf = (text: string) =>
      only(read(goose, [...opening("goose"), prompt(3, text), own, done(3)]), "turn_end")[0]?.reason;
    expect([reasonOf("Go"), reasonOf("/skills")]).toEqual(["failed", "completed"]);
  });

  it("is nobody if Gemini CLI repeats the mode", () => {
    const events = read(gemini, [...opening("gemini-cli"), prompt(3), say("[MODE_UPDATE] yolo"), done(3)]);
    expect(only(events, "text")).toEqual([]);
  });

  it("is the subagent at work, if the agent marks nothing", () => {
    const call = { toolCallId: "t", kind: "other", rawInput: { name: "helper", agent_type: "x" } };
    const events = read(copilot, [
      ...opening("Copilot"),
      prompt(3),
      update({ sessionUpdate: "tool_call", status: "pending", title: "Look", ...call }),
      say("Found two."),
      update({ sessionUpdate: "tool_call_update", toolCallId: "t", status: "completed" }),
      say("Done."),
      done(3),
    ]);
    expect(only(events, "agent").map(({ message, parentCallId }) => [message, parentCallId])).toEqual([
      ["Found two.", "t"],
      ["Done.", undefined],
    ]);
    expect(only(events, "turn_end")[0]?.text).toBe("Done.");
  });
});

describe("several prompts at once", () => {
  it("are one turn that ends with the last answer", () => {
    const events = read(acp, [
      ...opening(),
      prompt(3, "First"),
      prompt(4, "Second"),
      done(3, { usage: usage(100) }),
      say("Both."),
      done(4, { usage: usage(10) }),
    ]);
    expect(only(events, "turn").map((turn) => turn.prompt)).toEqual(["First"]);
    expect(only(events, "agent")[0]).toMatchObject({ role: "user", message: "Second" });
    expect(only(events, "turn_end")).toMatchObject([{ reason: "completed", text: "Both." }]);
    expect(only(events, "usage").find(({ scope }) => scope === "turn")).toMatchObject({ inputTokens: 110 });
  });

  it("leave the turn as it is if the second one is refused", () => {
    const busy = refusal(4, { code: -32602, message: "session already has active run" });
    const events = read(goose, [...opening("goose"), prompt(3), prompt(4), busy, say("One."), done(3)]);
    expect(only(events, "warning")[0]?.message).toContain("session already has active run");
    expect(only(events, "turn_end")).toMatchObject([{ reason: "completed", text: "One." }]);
  });

  it("are two turns if the first was cancelled", () => {
    const cancel: Said = ["harness", { method: "session/cancel", params: { sessionId: "s" } }];
    const cancelled = answer(3, { stopReason: "cancelled" });
    const events = read(acp, [...opening(), prompt(3), cancel, prompt(4), cancelled, say("Next."), done(4)]);
    expect(only(events, "turn_end").map(({ reason }) => reason)).toEqual(["interrupted", "completed"]);
  });
});

describe("the end of a turn", () => {
  it.each([
    ["max_tokens", "completed", undefined],
    ["max_turn_requests", "failed", "max_turns"],
    ["refusal", "failed", "refusal"],
    ["something new", "completed", undefined],
  ])("with the reason %s is %s", (stopReason, reason, kind) => {
    const events = read(acp, [...opening(), prompt(3), answer(3, { stopReason })]);
    expect(only(events, "turn_end")[0]).toMatchObject({ reason });
    expect(only(events, "turn_end")[0]?.failure?.kind).toBe(kind);
    const isQuiet = only(events, "warning").length === 0;
    expect(isQuiet).toBe(kind !== undefined);
  });

  it("closes calls that never ended, and ignores what comes late", () => {
    const call = { toolCallId: "c", title: "make", kind: "execute", rawInput: { command: "make" } };
    const events = read(acp, [
      ...opening(),
      prompt(3),
      update({ sessionUpdate: "tool_call", status: "in_progress", ...call }),
      done(3),
      update({ sessionUpdate: "tool_call_update", toolCallId: "c", status: "completed" }),
      update({ sessionUpdate: "tool_call_update", toolCallId: "new", status: "completed" }),
    ]);
    expect(only(events, "tool_end")).toHaveLength(1);
    expect(only(events, "tool_end")[0]).not.toHaveProperty("isSuccess");
  });
});

describe("figures", () => {
  const twoTurns = (name: string, first: object, second: object) =>
    read(acp, [...opening(name), prompt(3), done(3, first), prompt(4), done(4, second)]);

  it("of an agent that counts the session are differences", () => {
    const counts = twoTurns("Copilot", { usage: usage(100) }, { usage: { ...usage(150), outputTokens: 3 } });
    expect(only(counts, "usage").map(({ inputTokens, scope }) => [inputTokens, scope])).toEqual([
      [100, "turn"],
      [50, "turn"],
      [150, "run"],
    ]);
  });

  it("stay those of the session after a turn without any, whose tokens nobody can tell apart", () => {
    const counts = twoTurns("Copilot", {}, { usage: usage(150) });
    expect(only(counts, "usage").map(({ inputTokens, scope }) => [inputTokens, scope])).toEqual([
      [150, "session"],
      [150, "session"],
    ]);
  });

  it("that are all zero count as not reported", () => {
    const counts = twoTurns("x", { usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 } }, {});
    expect(only(counts, "usage")).toEqual([]);
  });

  it("of a resumed session leave its earlier cost out, if that is known", () => {
    const cost = (amount: number) =>
      update({ sessionUpdate: "usage_update", used: 1, size: 2, cost: { amount, currency: "USD" } });
    const load = [sent(1, "session/load", { sessionId: "s", cwd: "/workspace" }), answer(1, {})];
    const costOf = (messages: readonly Said[]) => only(read(acp, messages), "turn_end")[0]?.costUsd;
    expect(costOf([...load, cost(2), prompt(3), cost(2.5), done(3)])).toBe(0.5);
    expect(costOf([...load, prompt(3), cost(2.5), done(3)])).toBeUndefined();
  });
});

describe("the history of a session that is loaded", () => {
  it("is not emitted, even if it goes on after the answer (Gemini CLI)", () => {
    const events = read(gemini, [
      sent(1, "session/load", { sessionId: "s", cwd: "/workspace" }),
      say("Old."),
      answer(1, {}),
      say("Old, too."),
      prompt(3),
      say("New."),
      done(3),
    ]);
    expect(only(events, "text").map(({ delta }) => delta)).toEqual(["New."]);
  });

  it("is loaded under an id with a space before it by Gemini CLI, which is not part of the id", () => {
    const load = sent(1, "session/load", { sessionId: " s", cwd: "/workspace" });
    expect(read(gemini, [load, answer(1, {})]).at(-1)?.sessionId).toBe("s");
  });
});

describe("updates", () => {
  it("of a session that harness did not open are not part of this one", () => {
    const other = update(
      { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "x" } },
      "other",
    );
    expect(only(read(acp, [...opening(), prompt(3), other, done(3)]), "text")).toEqual([]);
  });

  it("that nobody knows are kept", () => {
    const events = read(acp, [...opening(), prompt(3), update({ sessionUpdate: "telepathy" }), done(3)]);
    expect(only(events, "unknown")).toHaveLength(1);
  });

  it("with the model of the session change it", () => {
    const changed = update({
      sessionUpdate: "config_option_update",
      configOptions: [{ id: "model", currentValue: "big" }],
    });
    expect(only(read(acp, [...opening(), changed]), "session").map(({ model }) => model)).toEqual([
      undefined,
      "big",
    ]);
  });
});

describe("what a request would do", () => {
  const ask = (toolCall: object): Said => [
    "agent",
    { id: 0, method: "session/request_permission", params: { sessionId: "s", options: [], toolCall } },
  ];
  const operationsOf = (toolCall: object) =>
    only(read(acp, [...opening(), prompt(3), ask({ toolCallId: "c", ...toolCall }), done(3)]), "request")[0]
      ?.operations;

  it.each([
    [{ kind: "execute", rawInput: { command: "cat a.txt" } }, [{ type: "command", command: "cat a.txt" }]],
    [{ kind: "execute", rawInput: { command: ["npm", "test"] } }, [{ type: "command", command: "npm test" }]],
    [
      { kind: "execute", rawInput: { commands: ["make", "make install"] } },
      [
        { type: "command", command: "make" },
        { type: "command", command: "make install" },
      ],
    ],
    [{ kind: "execute", title: "make" }, [{ type: "command", command: "make" }]],
    [{ kind: "edit", locations: [{ path: "../a.txt" }] }, [{ type: "write", path: "/a.txt" }]],
    [
      {
        kind: "edit",
        content: [
          { type: "diff", path: "/w/a", newText: "" },
          { type: "diff", path: "/w/b", newText: "" },
        ],
      },
      [
        { type: "write", path: "/w/a" },
        { type: "write", path: "/w/b" },
      ],
    ],
    [{ kind: "delete", rawInput: { path: "/w/a" } }, [{ type: "write", path: "/w/a" }]],
    [{ kind: "read", rawInput: { pattern: "x" } }, [{ type: "search", query: "x" }]],
    [
      { kind: "fetch", rawInput: { url: "https://example.com" } },
      [{ type: "fetch", url: "https://example.com" }],
    ],
    [{ kind: "other", title: "mcp__files__get" }, [{ type: "mcp", server: "files", tool: "get" }]],
    [{ kind: "other", title: "Think" }, undefined],
  ])("%j", (toolCall, operations) => {
    expect(operationsOf(toolCall)).toEqual(operations);
  });
});
