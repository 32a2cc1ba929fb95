import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codex } from "../../../src/agents/codex/definition.js";
import { appServer } from "../../../src/agents/codex/live/protocol.js";
import type { Answer, LiveTask, SentNote, SessionRequest } from "../../../src/agents/live-contract.js";
import { readTranscript, transcriptNames } from "../../support/transcripts.js";

interface Sent {
  id?: number | string;
  method?: string;
  params?: Record<string, unknown>;
  result?: unknown;
  error?: { code: number; message: string };
}

const task: LiveTask = {
  cwd: "/repo",
  permissions: "full-access",
  extraArgs: [],
  password: "",
  directory: "/tmp/session",
};

/** A peer, what it has sent, and what became of the session. */
function connect(given: Partial<LiveTask> = {}) {
  const sent: Sent[] = [];
  const notes: (SentNote | undefined)[] = [];
  const state: { isReady: boolean; failure?: string } = { isReady: false };
  const peer = appServer.createPeer(
    {
      send(line, note) {
        sent.push(JSON.parse(line) as Sent);
        notes.push(note);
      },
      ready: () => {
        state.isReady = true;
      },
      fail: (message) => {
        state.failure = message;
      },
    },
    { ...task, ...given },
  );
  const receive = (message: object): void => peer.received(JSON.stringify(message));
  /** What was sent since the last look. */
  let seen = 0;
  const news = (): Sent[] => {
    const latest = sent.slice(seen);
    seen = sent.length;
    return latest;
  };
  /** Answers the last request that was sent. */
  const reply = (answer: object): void => receive({ id: sent.at(-1)?.id, ...answer });
  return { peer, sent, notes, state, receive, reply, news };
}

/** A peer whose thread is open. */
function ready(given: Partial<LiveTask> = {}) {
  const client = connect(given);
  client.peer.open();
  client.reply({ result: { userAgent: "codex" } });
  client.reply({ result: { authMethod: "chatgpt", requiresOpenaiAuth: true } });
  if (given.permissions === "ask") client.reply({ result: { data: [{ name: "demo" }], nextCursor: null } });
  client.reply({ result: { thread: { id: "main" }, model: "gpt" } });
  client.news();
  return client;
}

/** A peer with a running turn. */
function busy(given: Partial<LiveTask> = {}) {
  const client = ready(given);
  client.peer.prompt("Go", "turn_1");
  client.reply({ result: { turn: { id: "one" } } });
  client.receive(turn("turn/started", "main", "one"));
  client.news();
  return client;
}

const turn = (method: string, threadId: string, id: string, fields: object = {}) => ({
  method,
  params: { threadId, turn: { id, ...fields } },
});
const interrupted = { status: "interrupted" };
const request = (requestId: string): SessionRequest => ({
  type: "request",
  timestamp: "2026-01-01T00:00:00.000Z",
  runId: "r",
  seq: 1,
  requestId,
  kind: "permission",
  name: "x",
  choices: [],
});

describe("the handshake", () => {
  it("ends with an open thread, whose permissions are those of the task", () => {
    const { peer, state, reply, news } = connect();
    peer.open();
    expect(news()).toMatchObject([
      { method: "initialize", params: { capabilities: { experimentalApi: true } } },
    ]);
    reply({ result: {} });
    expect(news().map(({ method }) => method)).toEqual(["initialized", "getAuthStatus"]);
    reply({ result: { authMethod: null, requiresOpenaiAuth: false } });
    const [start] = news();
    expect(start).toMatchObject({
      method: "thread/start",
      params: { cwd: "/repo", approvalPolicy: "never", sandbox: "danger-full-access" },
    });
    expect(state.isReady).toBe(false);
    reply({ result: { thread: { id: "main" } } });
    expect(state).toEqual({ isReady: true });
  });

  it.each([
    ["ask", { approvalPolicy: "untrusted", sandbox: "danger-full-access" }],
    ["read-only", { approvalPolicy: "never", sandbox: "read-only" }],
  ] as const)("asks for %s permissions", (permissions, params) => {
    const { sent } = ready({ permissions });
    expect(sent.at(-1)).toMatchObject({ method: "thread/start", params });
  });

  it("makes every MCP server ask for every tool, however many there are", () => {
    const { peer, reply, news } = connect({ permissions: "ask" });
    peer.open();
    reply({ result: {} });
    reply({ result: {} });
    reply({ result: { data: [{ name: "a" }, { name: "codex_apps" }], nextCursor: "2" } });
    reply({ result: { data: [{ name: "b" }], nextCursor: null } });
    expect(news().at(-1)).toMatchObject({
      method: "thread/start",
      params: {
        config: {
          "apps._default.default_tools_approval_mode": "prompt",
          "mcp_servers.a.default_tools_approval_mode": "prompt",
          "mcp_servers.b.default_tools_approval_mode": "prompt",
        },
      },
    });
  });

  it("does not begin if the MCP servers that must ask are not named", () => {
    const { peer, reply, state, sent } = connect({ permissions: "ask" });
    peer.open();
    reply({ result: {} });
    reply({ result: {} });
    reply({ error: { code: -32600, message: "no" } });
    expect(state.failure).toContain("MCP servers");
    expect(sent.some(({ method }) => method === "thread/start")).toBe(false);
  });

  it("resumes a thread without its history, and names the model and the addition to the prompt", () => {
    expect(ready({ resume: "t1" }).sent.at(-1)).toMatchObject({
      method: "thread/resume",
      params: { threadId: "t1", excludeTurns: true, cwd: "/repo" },
    });
    expect(ready({ model: "gpt", appendSystemPrompt: "Be brief." }).sent.at(-1)).toMatchObject({
      params: { model: "gpt", developerInstructions: "Be brief." },
    });
  });

  it("fails if Codex refuses it, cannot open the thread, or is not signed in", () => {
    const refused = connect();
    refused.peer.open();
    refused.reply({ error: { code: -32600, message: "Already initialized" } });
    expect(refused.state).toEqual({ isReady: false, failure: "Already initialized" });

    const lost = connect({ resume: "gone" });
    lost.peer.open();
    lost.reply({ result: {} });
    lost.reply({ error: { code: -32600, message: "unknown variant" } });
    lost.reply({ error: { code: -32600, message: "no rollout found" } });
    expect(lost.state).toEqual({ isReady: false, failure: "no rollout found" });

    const stranger = connect();
    stranger.peer.open();
    stranger.reply({ result: {} });
    stranger.reply({ result: { authMethod: null, requiresOpenaiAuth: true } });
    expect(stranger.state.failure).toContain("not signed in");
    expect(stranger.sent.some(({ method }) => method === "thread/start")).toBe(false);
  });
});

describe("a prompt", () => {
  it("begins a turn, with the model that was chosen last", async () => {
    const { peer, notes, news } = ready({ model: "gpt" });
    peer.prompt("Go", "turn_1");
    expect(news()).toMatchObject([
      {
        method: "turn/start",
        params: { threadId: "main", model: "gpt", input: [{ type: "text", text: "Go" }] },
      },
    ]);
    expect(notes.at(-1)).toEqual({ turnId: "turn_1" });
    await peer.setModel?.("other");
    peer.prompt("On", "turn_2");
    expect(news()).toMatchObject([{ params: { model: "other" } }]);
  });

  it("joins the running turn as steering, as soon as that has started", async () => {
    const { peer, receive, reply, news } = ready();
    peer.prompt("Go", "turn_1");
    const steered = peer.steer?.("Also");
    expect(news().map(({ method }) => method)).toEqual(["turn/start"]);
    receive(turn("turn/started", "main", "one"));
    expect(news()).toMatchObject([
      { method: "turn/steer", params: { expectedTurnId: "one", input: [{ text: "Also" }] } },
    ]);
    reply({ result: { turnId: "one" } });
    await steered;
  });

  it("is refused as steering if Codex refuses it, or if the turn ends first", async () => {
    const client = busy();
    const steered = client.peer.steer?.("Also");
    client.reply({ error: { code: -32600, message: "no active turn to steer" } });
    await expect(steered).rejects.toThrow("no active turn to steer");

    const early = ready();
    early.peer.prompt("Go", "turn_1");
    const late = early.peer.steer?.("Also");
    early.receive(turn("turn/completed", "main", "one", { status: "failed" }));
    await expect(late).rejects.toThrow("no turn runs");

    const closed = busy();
    const unanswered = closed.peer.steer?.("Also");
    closed.peer.close();
    await expect(unanswered).rejects.toThrow("closed");
  });
});

describe("an interrupt", () => {
  it("ends the turn once, and then the commands that it left behind", () => {
    const { peer, receive, news } = busy();
    peer.interrupt();
    peer.interrupt();
    expect(news()).toMatchObject([{ method: "turn/interrupt", params: { threadId: "main", turnId: "one" } }]);
    receive(turn("turn/completed", "main", "one", interrupted));
    expect(news()).toMatchObject([
      { method: "thread/backgroundTerminals/clean", params: { threadId: "main" } },
    ]);
  });

  it("waits for the start of the turn, because Codex refuses it before", () => {
    const { peer, reply, receive, news } = ready();
    peer.prompt("Go", "turn_1");
    peer.interrupt();
    reply({ result: { turn: { id: "one" } } });
    expect(news().map(({ method }) => method)).toEqual(["turn/start"]);
    receive(turn("turn/started", "main", "one"));
    expect(news()).toMatchObject([{ method: "turn/interrupt", params: { turnId: "one" } }]);
  });

  it("ends the work of subagents too, also of one that starts only then", () => {
    const { peer, receive, news } = busy();
    receive(turn("turn/started", "child", "c1", { rootTurnId: "one" }));
    peer.interrupt();
    expect(news().map(({ params }) => params?.["turnId"])).toEqual(["one", "c1"]);
    receive(turn("turn/completed", "main", "one", interrupted));
    receive(turn("turn/started", "late", "l1", { rootTurnId: "one" }));
    receive(turn("turn/completed", "child", "c1", interrupted));
    expect(news().map(({ method, params }) => [method, params?.["threadId"]])).toEqual([
      ["thread/backgroundTerminals/clean", "main"],
      ["turn/interrupt", "late"],
      ["thread/backgroundTerminals/clean", "child"],
    ]);
  });

  it("does not reach the next turn, whether one ran or not", () => {
    const { peer, receive, news } = ready();
    peer.interrupt();
    peer.prompt("Go", "turn_1");
    receive(turn("turn/started", "main", "one"));
    expect(news().map(({ method }) => method)).toEqual(["turn/start"]);
  });

  it("is not sent for a turn that has ended", () => {
    const { peer, receive, news } = busy();
    receive(turn("turn/completed", "main", "one", { status: "completed" }));
    peer.interrupt();
    expect(news()).toEqual([]);
  });
});

describe("an answer", () => {
  const approval = "item/commandExecution/requestApproval";
  const questions = "item/tool/requestUserInput";
  const elicitation = "mcpServer/elicitation/request";
  const permissions = "item/permissions/requestApproval";
  const cases: readonly [string, Answer, unknown][] = [
    [approval, { allow: true }, { decision: "accept" }],
    [approval, { allow: true, always: true }, { decision: "acceptForSession" }],
    [approval, { allow: false, message: "no" }, { decision: "decline" }],
    ["item/fileChange/requestApproval", { allow: false }, { decision: "decline" }],
    [questions, { answers: { a: ["Red", "Blue"] } }, { answers: { a: { answers: ["Red", "Blue"] } } }],
    [questions, { decline: true }, { answers: {} }],
    [elicitation, { content: { name: "Ada" } }, { action: "accept", content: { name: "Ada" }, _meta: null }],
    [elicitation, { decline: true }, { action: "decline", content: null, _meta: null }],
    [elicitation, { allow: true }, { action: "accept", content: {}, _meta: null }],
    [
      elicitation,
      { allow: true, always: true },
      { action: "accept", content: {}, _meta: { persist: "session" } },
    ],
    [elicitation, { allow: false }, { action: "decline", content: null, _meta: null }],
    [permissions, { allow: true }, { permissions: { network: { enabled: true } }, scope: "turn" }],
    [permissions, { allow: false }, { permissions: {}, scope: "turn" }],
  ];

  it.each(cases)("to %s: %j", (method, answer, result) => {
    const { peer, receive, news, notes } = busy();
    const params = { threadId: "main", permissions: { network: { enabled: true } } };
    receive({ id: 0, method, params });
    const note = { by: "policy", rule: "r" } as const;
    peer.answer(request("0"), answer, note);
    expect(news()).toEqual([{ id: 0, result }]);
    expect(notes.at(-1)).toEqual(note);
  });

  it("is given once, and not to a request that is unknown or withdrawn", () => {
    const { peer, receive, news } = busy();
    receive({ id: "a", method: approval, params: { threadId: "main" } });
    peer.answer(request("a"), { allow: true }, {});
    peer.answer(request("a"), { allow: true }, {});
    peer.answer(request("never"), { allow: true }, {});
    receive({ id: "b", method: approval, params: { threadId: "main" } });
    receive({ method: "serverRequest/resolved", params: { requestId: "b" } });
    peer.answer(request("b"), { allow: true }, {});
    expect(news()).toEqual([{ id: "a", result: { decision: "accept" } }]);
  });

  it("that also interrupts ends the turn by the decision itself, and that of others by an interrupt", () => {
    const own = busy();
    own.receive({ id: 0, method: approval, params: { threadId: "main" } });
    own.peer.answer(request("0"), { allow: false, interrupt: true }, {});
    expect(own.news()).toEqual([{ id: 0, result: { decision: "cancel" } }]);

    const child = busy();
    child.receive(turn("turn/started", "child", "c1", { rootTurnId: "one" }));
    child.receive({ id: 0, method: approval, params: { threadId: "child" } });
    child.peer.answer(request("0"), { allow: false, interrupt: true }, {});
    expect(child.news()).toMatchObject([
      { id: 0, result: { decision: "cancel" } },
      { method: "turn/interrupt", params: { threadId: "main", turnId: "one" } },
    ]);

    const form = busy();
    form.receive({ id: 0, method: elicitation, params: { threadId: "main" } });
    form.peer.answer(request("0"), { allow: false, interrupt: true }, {});
    expect(form.news()).toMatchObject([
      { id: 0, result: { action: "cancel" } },
      { method: "turn/interrupt", params: { turnId: "one" } },
    ]);
  });
});

describe("whatever Codex sends", () => {
  it("a request that is not for the user is answered with an error", () => {
    const { receive, news } = busy();
    receive({ id: 7, method: "item/tool/call", params: {} });
    receive({ id: 8, method: "something/new", params: {} });
    expect(news()).toMatchObject([
      { id: 7, error: { code: -32601 } },
      { id: 8, error: { code: -32601 } },
    ]);
  });

  it("nothing of it is thrown at, and no request of it stays without an answer", () => {
    const lines = transcriptNames("app-server-codex")
      .flatMap((scenario) => readTranscript("app-server-codex", scenario).lines)
      .filter(({ dir }) => dir === "out")
      .map(({ line }) => line);
    const spoilt = fc.constantFrom(...lines).chain((line) =>
      fc.oneof(
        fc.constant(line),
        fc.nat(line.length).map((length) => line.slice(0, length)),
        fc.constantFrom("null", "[]", "0", "{}").map((value) => line.replace(/\{[^{}]*\}/, value)),
        fc.constantFrom("garbage", "", "{}", '{"id":null}', '{"method":5,"id":{}}'),
      ),
    );
    fc.assert(
      fc.property(fc.array(spoilt, { maxLength: 40 }), (list) => {
        const { peer } = ready();
        peer.prompt("Go", "turn_1");
        for (const line of list) peer.received(line);
        peer.interrupt();
        peer.close();
      }),
      { numRuns: 200 },
    );
  });

  it("every request of the transcripts can be answered", () => {
    for (const scenario of transcriptNames("app-server-codex")) {
      const { peer, news } = busy({ permissions: "ask" });
      for (const { dir, line } of readTranscript("app-server-codex", scenario).lines) {
        if (dir !== "out") continue;
        const message = JSON.parse(line) as Sent;
        if (message.id === undefined || message.method === undefined) continue;
        news();
        peer.received(line);
        peer.answer(request(String(message.id)), { allow: true }, {});
        expect(news(), scenario).toMatchObject([{ id: message.id }]);
      }
    }
  });
});

describe("the launch", () => {
  it("starts the server with the user's arguments, and refuses what a resumed thread ignores", () => {
    const args = appServer.launch({ ...task, extraArgs: ["-c", "x=1"] }).args;
    expect(args[0]).toBe("app-server");
    expect(args.slice(-2)).toEqual(["-c", "x=1"]);
    const asking = appServer.launch({ ...task, permissions: "ask", extraArgs: ["-c", "x=1"] }).args;
    expect(asking.slice(0, args.length)).toEqual(args);
    expect(asking.slice(args.length)).toContain("features.view_image=false");
    expect(() => appServer.launch({ ...task, resume: "t", appendSystemPrompt: "x" })).toThrow(
      /resumes a thread/,
    );
    expect(codex.live).toBe(appServer);
  });
});
