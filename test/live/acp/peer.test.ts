import { describe, expect, it } from "vitest";
import { acp } from "../../../src/agents/acp/definition.js";
import { copilot } from "../../../src/agents/copilot/definition.js";
import type { AgentDefinition } from "../../../src/agents/definition.js";
import { gemini } from "../../../src/agents/gemini/definition.js";
import { goose } from "../../../src/agents/goose/definition.js";
import type { LiveTask, Peer } from "../../../src/agents/live-contract.js";
import { qwen } from "../../../src/agents/qwen/definition.js";
import { createFakeHost, type FakeHost, liveTask, requestWithId } from "./fake-host.js";

interface Opened {
  peer: Peer;
  host: FakeHost;
  /** One message of the agent. */
  receive(message: object): void;
}

function begin(agent: AgentDefinition, task: Partial<LiveTask> = {}): Opened {
  const host = createFakeHost();
  const peer = agent.live?.createPeer(host, { ...liveTask, ...task });
  if (peer === undefined) throw new Error("no live protocol");
  peer.open();
  return { peer, host, receive: (message) => peer.received(JSON.stringify({ jsonrpc: "2.0", ...message })) };
}

const initialized = { id: 1, result: { protocolVersion: 1, agentCapabilities: { loadSession: true } } };

/** A session that is ready for prompts. */
function open(agent: AgentDefinition = acp, task: Partial<LiveTask> = {}, state: object = {}): Opened {
  const opened = begin(agent, task);
  opened.receive(initialized);
  opened.receive({ id: 2, result: { sessionId: "s", ...state } });
  return opened;
}

const permission = (id: string | number, kinds = ["allow_once", "allow_always", "reject_once"]) => ({
  id,
  method: "session/request_permission",
  params: {
    sessionId: "s",
    toolCall: { toolCallId: "c", title: "rm" },
    options: kinds.map((kind) => ({ optionId: `the ${kind}`, kind, name: kind })),
  },
});

describe("the handshake", () => {
  it("offers neither files nor terminals, opens a session in the directory, and is ready then", () => {
    const { host, receive } = begin(acp);
    expect(host.take()[0]).toMatchObject({
      method: "initialize",
      params: {
        protocolVersion: 1,
        clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
      },
    });
    receive(initialized);
    expect(host.take()).toMatchObject([
      { method: "session/new", params: { cwd: "/workspace", mcpServers: [] } },
    ]);
    expect(host.isReady).toBe(false);
    receive({ id: 2, result: { sessionId: "s" } });
    expect(host.isReady).toBe(true);
  });

  it("loads the session that is to be resumed", () => {
    const { host, receive } = begin(acp, { resume: "old" });
    receive(initialized);
    expect(host.take().at(-1)).toMatchObject({ method: "session/load", params: { sessionId: "old" } });
    receive({ id: 2, result: {} });
    expect(host.isReady).toBe(true);
  });

  it("loads a session of Gemini CLI so that its file is not emptied", () => {
    const { peer, host, receive } = begin(gemini, { resume: "old" });
    receive(initialized);
    expect(host.take().at(-1)).toMatchObject({ method: "session/load", params: { sessionId: " old" } });
    receive({ id: 2, result: { modes: { currentModeId: "default" } } });
    peer.prompt("Hello", "turn_1");
    expect(host.take()).toMatchObject([{ method: "session/prompt", params: { sessionId: " old" } }]);
  });

  it.each([
    ["another version", { id: 1, result: { protocolVersion: 2 } }, "version 2 of ACP"],
    ["a refusal", { id: 1, error: { code: -32603, message: "no" } }, "refused the handshake: no"],
  ])("ends the session after %s", (_title, answer, words) => {
    const { host, receive } = begin(acp);
    receive(answer);
    expect(host.failure).toContain(words);
    expect(host.isReady).toBe(false);
  });

  it("ends the session if it cannot be resumed, in words that say so", () => {
    const { host, receive } = begin(acp, { resume: "old" });
    receive({ id: 1, result: { protocolVersion: 1, agentCapabilities: {} } });
    expect(host.failure).toBe("the agent cannot resume a session");
    const other = begin(acp, { resume: "old" });
    other.receive(initialized);
    other.receive({ id: 2, error: { code: -32603, message: "Internal error", data: { details: "gone" } } });
    expect(other.host.failure).toBe("Session not found: old: gone");
  });

  it.each([
    [goose, "ask", "auto", "approve"],
    [goose, "read-only", "auto", "chat"],
    [gemini, "ask", "autoEdit", "default"],
    [gemini, "full-access", "default", "yolo"],
    [qwen, "read-only", "default", "plan"],
  ] as const)("brings $id from another mode into that of %s", (agent, permissions, currentModeId, modeId) => {
    const { host, receive } = open(agent, { permissions }, { modes: { currentModeId } });
    expect(host.sent.at(-1)).toMatchObject({
      method: "session/set_mode",
      params: { sessionId: "s", modeId },
    });
    expect(host.isReady, "no prompt before the mode is set").toBe(false);
    receive({ id: 3, result: {} });
    expect(host.isReady).toBe(true);
  });

  it("ends the session if the mode is refused: it would work with other permissions", () => {
    const { host, receive } = open(goose, {}, { modes: { currentModeId: "auto" } });
    receive({ id: 3, error: { code: -32602, message: "Invalid params" } });
    expect([host.isReady, host.failure]).toEqual([false, "session/set_mode was refused: Invalid params"]);
  });

  it("switches off what allows everything in Copilot, unless that is asked for", () => {
    const state = { configOptions: [{ id: "allow_all", currentValue: "on" }] };
    expect(open(copilot, {}, state).host.sent.at(-1)).toMatchObject({
      method: "session/set_config_option",
      params: { configId: "allow_all", value: "off" },
    });
    expect(open(copilot, { permissions: "full-access" }, state).host.isReady).toBe(true);
  });

  it.each([
    [{ models: { availableModels: [{ modelId: "big" }] } }, "session/set_model", { modelId: "big" }],
    [
      { configOptions: [{ id: "model", category: "model", currentValue: "small" }] },
      "session/set_config_option",
      { configId: "model", value: "big" },
    ],
  ])("sets the model of any agent before the first prompt: %j", (state, method, params) => {
    const { host } = open(acp, { model: "big" }, state);
    expect(host.sent.at(-1)).toMatchObject({ method, params });
    expect(host.isReady).toBe(false);
  });
});

describe("a turn", () => {
  it("begins with the prompt, and its line names the turn", () => {
    const { peer, host } = open();
    peer.prompt("Hello", "turn_1");
    expect(host.sent.at(-1)).toMatchObject({
      method: "session/prompt",
      params: { sessionId: "s", prompt: [{ type: "text", text: "Hello" }] },
    });
    expect(host.notes.at(-1)).toEqual({ turnId: "turn_1" });
  });

  it("is cancelled, and every open request with it, since most agents wait for the answer for ever", () => {
    const { peer, host, receive } = open();
    peer.prompt("Hello", "turn_1");
    receive(permission(0));
    receive(permission("uuid"));
    receive({ id: 7, method: "elicitation/create", params: { mode: "form", message: "?" } });
    host.take();
    peer.interrupt();
    const cancelled = { outcome: { outcome: "cancelled" } };
    expect(host.take()).toMatchObject([
      { method: "session/cancel", params: { sessionId: "s" } },
      { id: 0, result: cancelled },
      { id: "uuid", result: cancelled },
      { id: 7, result: { action: "cancel" } },
    ]);
    receive(permission(8));
    expect(host.take(), "a request that comes late").toMatchObject([{ id: 8, result: cancelled }]);
    receive({ id: 3, result: { stopReason: "cancelled" } });
    peer.prompt("Again", "turn_2");
    receive(permission(9));
    expect(host.take().map(({ method }) => method)).toEqual(["session/prompt"]);
  });

  it("is not cancelled if none runs", () => {
    const { peer, host } = open();
    host.take();
    peer.interrupt();
    peer.close();
    expect(host.take()).toEqual([]);
  });
});

describe("an answer", () => {
  const answerTo = (kinds: string[], answer: Parameters<Peer["answer"]>[1], task: Partial<LiveTask> = {}) => {
    const { peer, host, receive } = open(acp, task);
    peer.prompt("Hello", "turn_1");
    receive(permission(0, kinds));
    peer.answer(requestWithId("0"), answer, { by: "policy", rule: "command" });
    expect(host.notes.at(-1)).toEqual({ by: "policy", rule: "command" });
    const result = host.sent.at(-1)?.result as
      | { outcome: { optionId?: string; outcome: string } }
      | undefined;
    return result?.outcome.optionId ?? result?.outcome.outcome;
  };
  const all = ["allow_always", "allow_once", "reject_always", "reject_once"];

  it("is an option chosen by its kind", () => {
    expect(answerTo(all, { allow: true })).toBe("the allow_once");
    expect(answerTo(all, { allow: true, always: true })).toBe("the allow_always");
    expect(answerTo(all, { allow: false })).toBe("the reject_once");
  });

  it("never allows more than it says", () => {
    expect(answerTo(["allow_always", "reject_once"], { allow: true })).toBe("the reject_once");
    expect(answerTo(["allow_always"], { allow: true })).toBe("cancelled");
    expect(answerTo(["allow_always"], { allow: true }, { permissions: "full-access" })).toBe(
      "the allow_always",
    );
    expect(answerTo(["allow_once"], { allow: false })).toBe("cancelled");
  });

  it("can end the turn", () => {
    const { peer, host, receive } = open();
    peer.prompt("Hello", "turn_1");
    receive(permission(0));
    host.take();
    peer.answer(requestWithId("0"), { allow: false, interrupt: true }, {});
    expect(host.take().map(({ id, method }) => method ?? id)).toEqual([0, "session/cancel"]);
  });

  it("is sent once, and only for a request that is open", () => {
    const { peer, host, receive } = open();
    peer.prompt("Hello", "turn_1");
    receive(permission(0));
    host.take();
    for (const id of ["0", "0", "1"]) peer.answer(requestWithId(id), { allow: true }, {});
    expect(host.take()).toHaveLength(1);
  });

  it("to a question is the option, or the free text beside it", () => {
    const { peer, host, receive } = open();
    const choices = { oneOf: [{ const: "Red" }, { const: "Blue" }] };
    const properties = {
      question_0: { type: "string", ...choices },
      question_0_custom: { type: "string" },
      question_1: { type: "array", items: choices },
    };
    receive({
      id: 0,
      method: "elicitation/create",
      params: { mode: "form", message: "?", requestedSchema: { type: "object", properties } },
    });
    peer.answer(
      requestWithId("0"),
      { answers: { question_0: ["Green"], question_1: ["Red", "Blue"], other: ["x"] } },
      {},
    );
    expect(host.sent.at(-1)?.result).toEqual({
      action: "accept",
      content: { question_0_custom: "Green", question_1: ["Red", "Blue"] },
    });
  });
});

describe("what the agent sends", () => {
  it("is always answered, with an error if harness does not offer it", () => {
    const { host, receive } = open();
    host.take();
    for (const method of [
      "fs/write_text_file",
      "fs/read_text_file",
      "terminal/create",
      "craft/drainMidTurnQueue",
    ])
      receive({ id: method, method, params: {} });
    receive({ id: 1, method: "elicitation/create", params: { mode: "url" } });
    expect(host.take().map(({ error }) => (error as { code: number }).code)).toEqual(Array(5).fill(-32601));
  });

  it("may be anything", () => {
    const { peer, host } = open();
    host.take();
    const lines = [
      "",
      "x",
      "null",
      "[]",
      "1",
      "{}",
      '{"id":99,"result":{}}',
      '{"id":1,"result":{}}',
      '{"id":null,"method":"x"}',
      '{"id":{},"error":1}',
      '{"method":"session/update","params":5}',
      '{"id":5,"method":"session/request_permission"}',
    ];
    for (const line of lines) peer.received(line);
    expect(host.take()).toEqual([]);
  });
});

describe("the model", () => {
  it("is changed while the session runs; a refusal is passed on", async () => {
    const { peer, host, receive } = open(
      gemini,
      {},
      { modes: { currentModeId: "default" }, models: { availableModels: [{}] } },
    );
    const changed = peer.setModel?.("gemini-9");
    expect(host.sent.at(-1)).toMatchObject({ method: "session/set_model", params: { modelId: "gemini-9" } });
    receive({ id: 3, result: {} });
    await expect(changed).resolves.toBeUndefined();
    const refused = peer.setModel?.("none");
    receive({ id: 4, error: { code: -32602, message: "no such model" } });
    await expect(refused).rejects.toThrow("no such model");
  });

  it("of Copilot cannot be changed", () => {
    expect(open(copilot).peer.setModel).toBeUndefined();
    expect(copilot.live?.abilities.setModel).toBe(false);
  });
});

describe("steering Goose", () => {
  it("needs the id of its run, which it sends when the turn begins", async () => {
    const { peer, host, receive } = open(goose, {}, { modes: { currentModeId: "approve" } });
    await expect(peer.steer?.("Also this")).rejects.toThrow("cannot be steered yet");
    const update = { sessionUpdate: "session_info_update", _meta: { goose: { activeRunId: "run_1" } } };
    receive({ method: "session/update", params: { sessionId: "s", update } });
    const steered = peer.steer?.("Also this");
    expect(host.sent.at(-1)).toMatchObject({
      method: "_goose/unstable/session/steer",
      params: { sessionId: "s", expectedRunId: "run_1", prompt: [{ type: "text", text: "Also this" }] },
    });
    receive({ id: 3, result: { runId: "run_1", messageId: "m" } });
    await steered;
  });

  it("is not offered by the others", () => {
    for (const agent of [acp, gemini, qwen, copilot]) expect(open(agent).peer.steer).toBeUndefined();
  });
});

describe("the end of a session", () => {
  it("waits for the session file of a Qwen Code that writes it late", () => {
    const settleOf = (version: string) => {
      const { peer, receive } = begin(qwen);
      receive({ id: 1, result: { protocolVersion: 1, agentInfo: { name: "qwen-code", version } } });
      receive({ id: 2, result: { sessionId: "s", modes: { currentModeId: "default" } } });
      return peer.settleMs;
    };
    expect([settleOf("0.15.10"), settleOf("0.24.4")]).toEqual([4000, 0]);
    expect(open(gemini).peer.settleMs).toBe(0);
  });
});
