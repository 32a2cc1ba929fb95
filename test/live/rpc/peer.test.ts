import { describe, expect, it } from "vitest";
import type { LiveTask, SessionRequest } from "../../../src/agents/live-contract.js";
import { pi } from "../../../src/agents/pi/definition.js";
import { piRpc } from "../../../src/agents/pi/live/protocol.js";
import { readTranscript, transcriptNames } from "../../support/transcripts.js";

interface Sent {
  id: string;
  type: string;
  [key: string]: unknown;
}

/** A peer, what it has sent, and Pi's side of the conversation. */
function connect(permissions: LiveTask["permissions"] = "full-access") {
  const lines: string[] = [];
  const notes: unknown[] = [];
  const failures: string[] = [];
  let readyCount = 0;
  const task: LiveTask = { cwd: "/repo", permissions, extraArgs: [], password: "", directory: "/session" };
  const host = {
    send(line: string, note?: unknown) {
      lines.push(line);
      notes.push(note);
    },
    ready() {
      readyCount += 1;
    },
    fail: (message: string) => failures.push(message),
  };
  const peer = piRpc.createPeer(host, task);
  const sent = (): Sent[] => lines.map((line) => JSON.parse(line) as Sent);
  const last = (type: string): Sent => {
    const found = sent().findLast((command) => command.type === type);
    if (found === undefined) throw new Error(`no ${type} was sent`);
    return found;
  };
  return {
    peer,
    notes,
    failures,
    sent,
    last,
    types: () => sent().map(({ type }) => type),
    isReady: () => readyCount === 1,
    print: (record: object) => peer.received(JSON.stringify(record)),
    respond(command: string, fields: object = {}) {
      const { id } = last(command);
      peer.received(JSON.stringify({ id, type: "response", command, success: true, ...fields }));
    },
  };
}

function opened(permissions?: LiveTask["permissions"]) {
  const pi = connect(permissions);
  pi.peer.open();
  if (permissions === "ask")
    pi.print({
      type: "extension_ui_request",
      id: "s",
      method: "setStatus",
      statusKey: "harness-permissions",
    });
  pi.respond("get_state", { data: { sessionId: "pi-1" } });
  return pi;
}

const request = (requestId: string) => ({ requestId }) as SessionRequest;

describe("pi rpc: the handshake", () => {
  it("asks for the state, and is ready with the answer", () => {
    const pi = connect();
    pi.peer.open();
    expect(pi.types()).toEqual(["get_state"]);
    expect(pi.isReady()).toBe(false);
    pi.respond("get_state");
    expect(pi.isReady()).toBe(true);
  });

  it("fails if Pi refuses", () => {
    const pi = connect();
    pi.peer.open();
    pi.respond("get_state", { success: false, error: "broken" });
    expect(pi.failures).toEqual(["broken"]);
  });

  it("fails if Pi is to ask, and did not load the extension that asks", () => {
    const pi = connect("ask");
    pi.peer.open();
    pi.respond("get_state");
    expect(pi.isReady()).toBe(false);
    expect(pi.failures).toEqual(["Pi did not load the extension that asks for permission"]);
    expect(opened("ask").isReady()).toBe(true);
  });
});

describe("pi rpc: turns", () => {
  it("sends a prompt with its turn, and asks for the state if Pi does not say what became of it", () => {
    const pi = opened();
    pi.peer.prompt("Hi", "t1");
    expect(pi.last("prompt")).toMatchObject({ message: "Hi" });
    expect(pi.notes.at(-1)).toEqual({ turnId: "t1" });
    pi.respond("prompt");
    expect(pi.types()).toEqual(["get_state", "prompt", "get_state"]);
    const newer = opened();
    newer.peer.prompt("Hi", "t1");
    newer.respond("prompt", { data: { disposition: "started" } });
    expect(newer.types()).toEqual(["get_state", "prompt"]);
  });

  it("asks for the state after the last record of a turn in 0.74, once", () => {
    const pi = opened();
    pi.peer.prompt("Hi", "t1");
    pi.print({ type: "agent_start" });
    pi.print({ type: "agent_end", messages: [] });
    pi.print({ type: "auto_retry_end", success: false });
    expect(pi.types()).toEqual(["get_state", "prompt", "get_state"]);
    pi.respond("get_state");
    pi.print({ type: "compaction_end" });
    expect(pi.types()).toEqual(["get_state", "prompt", "get_state", "get_state"]);
  });

  it("asks nothing of a version that reports the end itself", () => {
    const pi = opened();
    pi.print({ type: "agent_start" });
    pi.print({ type: "agent_end", messages: [], willRetry: false });
    pi.print({ type: "agent_settled" });
    expect(pi.types()).toEqual(["get_state"]);
  });

  it("interrupts again when the run begins, if it had not begun", () => {
    const pi = opened();
    pi.peer.prompt("Hi", "t1");
    pi.peer.interrupt();
    pi.print({ type: "agent_start" });
    pi.print({ type: "agent_start" });
    expect(pi.types().filter((type) => type === "abort")).toHaveLength(2);
    const running = opened();
    running.peer.prompt("Hi", "t1");
    running.print({ type: "agent_start" });
    running.peer.interrupt();
    running.print({ type: "agent_start" });
    expect(running.types().filter((type) => type === "abort")).toHaveLength(1);
  });

  it("takes back what was said to a turn that is interrupted", async () => {
    const pi = opened();
    pi.print({ type: "agent_start" });
    const steered = pi.peer.steer?.("Stop that");
    pi.respond("steer");
    await steered;
    pi.peer.interrupt();
    expect(pi.types().slice(-2)).toEqual(["clear_queue", "abort"]);
  });

  it("rejects what Pi refuses, and what nobody answers any more", async () => {
    const pi = opened();
    const refused = pi.peer.steer?.("/command");
    pi.respond("steer", { success: false, error: "not allowed" });
    await expect(refused).rejects.toThrow("not allowed");
    const unanswered = pi.peer.steer?.("Hello?");
    pi.peer.close();
    await expect(unanswered).rejects.toThrow("closed");
  });

  it("aborts before it closes", () => {
    const pi = opened();
    pi.peer.close();
    expect(pi.types().at(-1)).toBe("abort");
  });
});

describe("pi rpc: answers", () => {
  const permission = {
    type: "extension_ui_request",
    id: "d1",
    method: "input",
    title: JSON.stringify({ harness: "permission", callId: "c", name: "bash", input: {} }),
  };
  const dialog = (method: string) => ({ type: "extension_ui_request", id: "d1", method, title: "?" });

  it.each([
    [{ allow: true }, { allow: true }],
    [
      { allow: true, always: true, input: { command: "ls" } },
      { allow: true, always: true, input: { command: "ls" } },
    ],
    [
      { allow: false, message: "No." },
      { allow: false, message: "No." },
    ],
    [{ decline: true }, { allow: false }],
    [{ answers: { answer: ["Yes"] } }, { allow: false }],
  ] as const)("a permission: %j", (given, reply) => {
    const pi = opened("ask");
    pi.print(permission);
    pi.peer.answer(request("d1"), given, { by: "policy", rule: "read" });
    const { value, ...rest } = pi.last("extension_ui_response");
    expect(rest).toEqual({ type: "extension_ui_response", id: "d1" });
    expect(JSON.parse(String(value))).toEqual(reply);
    expect(pi.notes.at(-1)).toEqual({ by: "policy", rule: "read" });
  });

  it.each([
    ["confirm", { answers: { answer: ["yes"] } }, { confirmed: true }],
    ["confirm", { answers: { other: ["No"] } }, { confirmed: false }],
    ["confirm", { allow: true }, { confirmed: true }],
    ["confirm", { decline: true }, { cancelled: true }],
    ["select", { answers: { answer: ["Red"] } }, { value: "Red" }],
    ["input", { answers: { answer: ["Ada"] } }, { value: "Ada" }],
    ["editor", { answers: {} }, { cancelled: true }],
    ["select", { allow: false }, { cancelled: true }],
    ["input", { content: 1 }, { cancelled: true }],
  ] as const)("%s: %j", (method, given, fields) => {
    const pi = opened();
    pi.print(dialog(method));
    pi.peer.answer(request("d1"), given, {});
    expect(pi.last("extension_ui_response")).toEqual({ type: "extension_ui_response", id: "d1", ...fields });
  });

  it("answers once, and only what was asked", () => {
    const pi = opened();
    pi.print(dialog("confirm"));
    pi.peer.answer(request("other"), { allow: true }, {});
    pi.peer.answer(request("d1"), { allow: true }, {});
    pi.peer.answer(request("d1"), { allow: false }, {});
    expect(pi.sent().filter(({ type }) => type === "extension_ui_response")).toEqual([
      { type: "extension_ui_response", id: "d1", confirmed: true },
    ]);
  });

  it("dismisses open dialogs after the abort, because Pi would wait for them", () => {
    const pi = opened();
    pi.print(dialog("select"));
    pi.peer.interrupt();
    expect(pi.types().slice(-2)).toEqual(["abort", "extension_ui_response"]);
    expect(pi.last("extension_ui_response")).toMatchObject({ cancelled: true });
  });

  it("ends the turn with a denial that says so", () => {
    const pi = opened("ask");
    pi.print(permission);
    pi.peer.answer(request("d1"), { allow: false, interrupt: true }, {});
    expect(pi.types().slice(-2)).toEqual(["extension_ui_response", "abort"]);
  });

  it("dismisses a dialog of a kind that it does not know, and no announcement", () => {
    const pi = opened();
    pi.print(dialog("hologram"));
    pi.print({ ...dialog("notify"), id: "d2" });
    expect(pi.types().filter((type) => type === "extension_ui_response")).toHaveLength(1);
    expect(pi.last("extension_ui_response")).toMatchObject({ id: "d1", cancelled: true });
  });
});

describe("pi rpc: models", () => {
  const models = [
    { provider: "a", id: "small" },
    { provider: "b", id: "large:free" },
  ];
  async function choose(name: string) {
    const pi = opened();
    const chosen = pi.peer.setModel?.(name);
    pi.respond("get_available_models", { data: { models } });
    await Promise.resolve();
    const set = pi.sent().findLast(({ type }) => type === "set_model");
    if (set !== undefined) pi.respond("set_model");
    for (let turn = 0; turn < 3; turn += 1) await Promise.resolve();
    if (pi.types().includes("set_thinking_level")) pi.respond("set_thinking_level");
    await chosen;
    return pi.sent().slice(2);
  }

  it("finds the provider of a model, and how much it is to think", async () => {
    expect(await choose("large:free")).toMatchObject([{ provider: "b", modelId: "large:free" }]);
    expect(await choose("a/small:high")).toMatchObject([
      { provider: "a", modelId: "small" },
      { type: "set_thinking_level", level: "high" },
    ]);
  });

  it("rejects a model that Pi does not have", async () => {
    await expect(choose("huge")).rejects.toThrow("Pi has no model huge");
  });
});

describe("pi rpc: whatever Pi prints", () => {
  const folders = ["rpc-pi-0.74.2", "rpc-pi-0.87.1"];
  const lines = folders.flatMap((folder) =>
    transcriptNames(folder).flatMap((scenario) =>
      readTranscript(folder, scenario).lines.flatMap(({ dir, line }) => (dir === "out" ? [line] : [])),
    ),
  );

  it("the peer throws nothing, and every line that it sends is JSON", () => {
    const pi = opened();
    for (const line of lines) {
      pi.peer.received(line);
      pi.peer.received(line.slice(0, line.length / 2));
    }
    for (const line of ["", "null", "[]", '{"type":"response"}', '{"type":"extension_ui_request"}', "x"])
      pi.peer.received(line);
    expect(pi.sent().every(({ type }) => typeof type === "string")).toBe(true);
  });

  it("is launched with an extension that asks, only if it is to ask", () => {
    const task: LiveTask = {
      ...{
        cwd: "/repo",
        permissions: "ask",
        model: "m",
        resume: "pi-1",
        password: "",
        directory: "/session",
      },
      extraArgs: ["--no-skills"],
    };
    const { args, files } = piRpc.launch(task);
    expect(args.join(" ")).toBe(
      "--mode rpc --model m --session pi-1 --extension /session/harness-permissions.mjs --no-skills",
    );
    expect(Object.keys(files ?? {})).toEqual(["harness-permissions.mjs"]);
    expect(piRpc.launch({ ...task, permissions: "full-access" })).toEqual({
      args: ["--mode", "rpc", "--model", "m", "--session", "pi-1", "--no-skills"],
    });
    expect(piRpc.launch({ ...task, permissions: "read-only" }).args).toContain("read,grep,find,ls");
    expect(pi.live).toBe(piRpc);
  });
});
