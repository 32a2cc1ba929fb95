import { describe, expect, it } from "vitest";
import type { AgentDefinition } from "../../../src/agents/definition.js";
import { kilo } from "../../../src/agents/kilo/definition.js";
import type { LiveTask, Peer, SentNote, SessionRequest } from "../../../src/agents/live-contract.js";
import { opencode } from "../../../src/agents/opencode/definition.js";
import { translateTranscript } from "../../support/live-conformance.js";
import { readTranscript, transcriptNames } from "../../support/transcripts.js";

/** A peer whose host remembers everything. */
interface Stage {
  peer: Peer;
  sent: string[];
  notes: SentNote[];
  /** `ready`, or the reason of a failure. */
  said: string[];
  event(type: string, properties?: object): void;
  answer(status: number, body?: unknown): void;
}

function stage(task: Partial<LiveTask> = {}, agent: AgentDefinition = opencode): Stage {
  const sent: string[] = [];
  const notes: SentNote[] = [];
  const said: string[] = [];
  const host = {
    send(line: string, note: SentNote = {}) {
      sent.push(line);
      notes.push(note);
    },
    ready: () => void said.push("ready"),
    fail: (message: string) => void said.push(message),
  };
  const whole: LiveTask = {
    cwd: "/repo",
    permissions: "full-access",
    password: "secret",
    directory: "/tmp/session",
    extraArgs: [],
    ...task,
  };
  const peer = agent.live?.createPeer(host, whole) ?? expect.fail("no live protocol");
  return {
    peer,
    sent,
    notes,
    said,
    event: (type, properties = {}) => peer.received(`SSE ${JSON.stringify({ type, properties })}`),
    answer: (status, body) =>
      peer.received(`HTTP ${status} ${body === undefined ? "" : JSON.stringify(body)}`),
  };
}

/** A peer that has opened its session, with nothing sent since. */
function opened(task: Partial<LiveTask> = {}, agent?: AgentDefinition): Stage {
  const made = stage(task, agent);
  made.peer.open();
  made.answer(200, { id: "ses_1" });
  made.sent.length = 0;
  made.notes.length = 0;
  return made;
}

const permission = (requestId: string): SessionRequest =>
  ({
    type: "request",
    requestId,
    kind: "permission",
    name: "bash",
    choices: [],
  }) as unknown as SessionRequest;
const question = (requestId: string): SessionRequest =>
  ({
    type: "request",
    requestId,
    kind: "question",
    name: "question",
    choices: [],
    questions: [
      { id: "0", question: "Which?" },
      { id: "1", question: "Why?" },
    ],
  }) as unknown as SessionRequest;

describe("opening a session", () => {
  it("creates one, and is ready when it has an id", () => {
    const { peer, sent, said, answer } = stage();
    peer.open();
    expect([sent, said]).toEqual([["POST /session {}"], []]);
    answer(200, { id: "ses_1", directory: "/repo" });
    expect(said).toEqual(["ready"]);
  });

  it("finds the one to go on with", () => {
    const { peer, sent, said, answer } = stage({ resume: "ses_old" });
    peer.open();
    answer(200, { id: "ses_old" });
    expect([sent, said]).toEqual([["GET /session/ses_old"], ["ready"]]);
  });

  it("fails with the server's own words", () => {
    const { peer, said, answer } = stage({ resume: "ses_old" });
    peer.open();
    answer(404, { name: "NotFoundError", data: { message: "Session not found: ses_old" } });
    expect(said).toEqual(["cannot go on with ses_old: Session not found: ses_old"]);
  });

  it.each([
    [0, "no answer within 60 s", "no answer within 60 s"],
    [500, "", "the server answered 500"],
    [200, "not json", "not json"],
  ])("fails after the answer %s %s", (status, body, words) => {
    const { peer, said } = stage();
    peer.open();
    peer.received(`HTTP ${status} ${body}`);
    expect(said).toEqual([`the session was not created: ${words}`]);
  });

  it("gives a read-only session its rules, and its prompts the agent that plans", () => {
    const { peer, sent, answer } = stage({ permissions: "read-only" });
    peer.open();
    const { permission: rules } = JSON.parse(sent[0]?.slice("POST /session ".length) ?? "");
    // Subagents inherit what is denied. If everything was, they would have no tools.
    expect(rules[0]).toEqual({ permission: "*", pattern: "*", action: "ask" });
    expect(rules).toContainEqual({ permission: "bash", pattern: "*", action: "deny" });
    expect(rules).toContainEqual({ permission: "read", pattern: "*", action: "allow" });
    answer(200, { id: "ses_1" });
    peer.prompt("Look", "turn_1");
    expect(sent[1]).toBe(
      'POST /session/ses_1/prompt_async {"agent":"plan","parts":[{"type":"text","text":"Look"}]}',
    );
  });
});

describe("a session that asks", () => {
  const rule = (permission: string, action: string, pattern = "*") => ({ permission, pattern, action });
  const everything = rule("*", "ask");
  const open = (agents: unknown, task: Partial<LiveTask> = {}) => {
    const made = stage({ permissions: "ask", ...task });
    made.peer.open();
    made.answer(200, {});
    made.answer(200, agents);
    const [, , line = ""] = made.sent;
    const json = line.slice(line.indexOf("{"));
    return { ...made, line, rules: JSON.parse(json).permission as object[] };
  };

  it("asks for everything that touches files, runs commands or reaches the network", () => {
    const { sent, line, rules } = open([]);
    expect(sent.slice(0, 2)).toEqual(["GET /mcp", "GET /agent"]);
    expect(line).toMatch(/^POST \/session \{/);
    expect(rules[0]).toEqual(everything);
    const allowed = rules.filter((one) => "action" in one && one.action === "allow");
    expect(allowed.map((one) => "permission" in one && one.permission)).toEqual([
      "external_directory",
      "invalid",
      "plan_enter",
      "plan_exit",
      "question",
      "suggest",
      "todoread",
      "todowrite",
    ]);
  });

  it("lets subagents start that ask by themselves, and no others", () => {
    const { rules } = open([
      { name: "asks", permission: [rule("bash", "allow"), everything, rule("todowrite", "allow")] },
      { name: "denies", permission: [everything, rule("*", "deny")] },
      { name: "runs", permission: [everything, rule("bash", "allow", "ls *")] },
      { name: "opened", permission: [everything, rule("*", "allow")] },
      { name: "delegates", permission: [everything, rule("task", "allow")] },
      { name: "unruled", permission: [] },
      { name: "broken" },
      "garbage",
    ]);
    expect(rules.filter((one) => "permission" in one && one.permission === "task")).toEqual([
      rule("task", "allow", "asks"),
      rule("task", "allow", "denies"),
    ]);
  });

  it("asks for every subagent if the agents cannot be read", () => {
    const { rules } = open("nonsense");
    expect(rules.filter((one) => "permission" in one && one.permission === "task")).toEqual([]);
  });

  it("gives the rules to a session that it goes on with", () => {
    const { line } = open([], { resume: "ses_old" });
    expect(line).toMatch(/^PATCH \/session\/ses_old \{"permission":\[\{"permission":"\*"/);
  });
});

describe("prompts", () => {
  it("name their turn and the model", () => {
    const { peer, sent, notes } = opened({ model: "openrouter/some/model" });
    peer.prompt("Hi\nthere", "turn_7");
    const model = '"model":{"providerID":"openrouter","modelID":"some/model"}';
    expect(sent).toEqual([
      `POST /session/ses_1/prompt_async {${model},"parts":[{"type":"text","text":"Hi\\nthere"}]}`,
    ]);
    expect(notes).toEqual([{ turnId: "turn_7" }]);
  });

  it("follow a change of the model", async () => {
    const { peer, sent } = opened();
    await peer.setModel?.("a/b");
    peer.prompt("Hi", "turn_1");
    expect(sent[0]).toContain('"model":{"providerID":"a","modelID":"b"}');
  });

  it("join the running turn, unless the server refuses", async () => {
    const { peer, notes, answer } = opened();
    const good = peer.steer?.("Also this");
    answer(204);
    await expect(good).resolves.toBeUndefined();
    const bad = peer.steer?.("And this");
    answer(400, { data: { message: "no" } });
    await expect(bad).rejects.toThrow("no");
    expect(notes).toEqual([{}, {}]);
  });

  it("are not sent before there is a session", () => {
    const { peer, sent } = stage();
    peer.prompt("Hi", "turn_1");
    peer.interrupt();
    expect(sent).toEqual([]);
  });
});

describe("answers", () => {
  it.each([
    [{ allow: true }, '{"reply":"once"}'],
    [{ allow: true, always: true }, '{"reply":"always"}'],
    [{ allow: false, message: "Use mkdir" }, '{"reply":"reject","message":"Use mkdir"}'],
    [{ allow: false }, '{"reply":"reject","message":"The user does not allow this."}'],
    [{ decline: true }, '{"reply":"reject","message":"The user does not allow this."}'],
  ] as const)("to a permission: %j", (answer, body) => {
    const { peer, sent, notes, event } = opened();
    event("permission.asked", { id: "per_1", sessionID: "ses_1" });
    peer.answer(permission("per_1"), answer, { by: "policy", rule: "x" });
    expect(sent).toEqual([`POST /permission/per_1/reply ${body}`]);
    expect(notes).toEqual([{ by: "policy", rule: "x" }]);
  });

  it("can end the turn with the denial", () => {
    const { peer, sent, event } = opened();
    event("permission.asked", { id: "per_1" });
    peer.answer(permission("per_1"), { allow: false, message: "Stop", interrupt: true }, {});
    expect(sent[1]).toBe("POST /session/ses_1/abort");
  });

  it("to a question come in the order of the questions", () => {
    const { peer, sent, event } = opened();
    event("question.asked", { id: "que_1" });
    event("question.asked", { id: "que_2" });
    peer.answer(question("que_1"), { answers: { "1": ["Because", "So"] } }, {});
    peer.answer(question("que_2"), { decline: true }, {});
    expect(sent).toEqual([
      'POST /question/que_1/reply {"answers":[[],["Because","So"]]}',
      "POST /question/que_2/reject",
    ]);
  });

  it("are sent once, and only to what is open", () => {
    const { peer, sent, event } = opened();
    event("permission.asked", { id: "per_1" });
    event("permission.asked", { id: "per_2" });
    event("permission.replied", { requestID: "per_2" });
    for (const id of ["per_1", "per_1", "per_2", "per_3"]) peer.answer(permission(id), { allow: true }, {});
    expect(sent).toEqual(['POST /permission/per_1/reply {"reply":"once"}']);
  });
});

describe("interrupts", () => {
  it("abort, and clear away what was asked", () => {
    const { peer, sent, event } = opened();
    event("permission.asked", { id: "per_1" });
    event("question.asked", { id: "que_1" });
    peer.interrupt();
    expect(sent).toEqual([
      "POST /session/ses_1/abort",
      'POST /permission/per_1/reply {"reply":"reject"}',
      "POST /question/que_1/reject",
    ]);
  });

  it("are repeated while the session works on, but not for ever, and not in the next turn", () => {
    const { peer, sent, event } = opened();
    const isBusy = (sessionID: string): void =>
      event("session.status", { sessionID, status: { type: "busy" } });
    isBusy("ses_1");
    peer.interrupt();
    isBusy("ses_other");
    expect(sent).toHaveLength(1);
    for (let i = 0; i < 20; i++) isBusy("ses_1");
    expect(sent).toEqual(Array(5).fill("POST /session/ses_1/abort"));
    peer.prompt("Next", "turn_2");
    isBusy("ses_1");
    expect(sent).toHaveLength(6);
  });
});

it("asks for what it missed when the stream of events is opened again", () => {
  const { sent, event } = opened();
  event("server.connected");
  expect(sent).toEqual([]);
  event("server.connected");
  expect(sent).toEqual(["GET /permission", "GET /question", "GET /session/status"]);
});

it("declines what only an editor could do", () => {
  const { sent, event } = opened({}, kilo);
  event("suggestion.shown", { id: "sug_1" });
  event("session.network.asked", { id: "que_1" });
  event("kilocode.notebook.requested", { id: "nb/1" });
  event("kilocode.agent_manager.requested", {});
  expect(sent).toEqual([
    "POST /suggestion/sug_1/dismiss {}",
    "POST /network/que_1/reject {}",
    "POST /kilocode/notebook/nb%2F1/reject {}",
  ]);
});

it("survives garbage", () => {
  const { peer, sent } = opened();
  for (const line of [
    "",
    "SSE",
    "SSE ",
    "SSE nonsense",
    "SSE []",
    'SSE {"type":7}',
    "HTTP",
    "HTTP x",
    "HTTP 200",
    "{}",
  ])
    peer.received(line);
  peer.close();
  expect(sent).toEqual([]);
});

const recorded = [
  { agent: opencode, folder: "serve-opencode" },
  { agent: kilo, folder: "serve-kilo" },
].flatMap(({ agent, folder }) => transcriptNames(folder).map((scenario) => ({ agent, folder, scenario })));

it.each(recorded)(
  "answers the requests of $folder/$scenario as its client did",
  ({ agent, folder, scenario }) => {
    const transcript = readTranscript(folder, scenario);
    const { peer, sent } = opened({}, agent);
    for (const { dir, line } of transcript.lines) if (dir === "out") peer.received(line);
    const events = translateTranscript(agent, transcript).flatMap((step) => step.events);
    const asked = events.filter((event) => event.type === "request");
    // The recording has the end of each request, after which none is open. So the requests alone are played again.
    const fresh = opened({}, agent);
    for (const { dir, line } of transcript.lines)
      if (dir === "out" && line.includes(".asked")) fresh.peer.received(line);
    for (const request of asked) {
      if (request.kind === "question") fresh.peer.answer(request, { answers: { "0": ["Red"] } }, {});
      else fresh.peer.answer(request, { allow: true }, {});
    }
    const answers = transcript.lines.filter(({ dir, line }) => dir === "in" && line.includes("/reply "));
    expect(fresh.sent).toEqual(answers.map(({ line }) => line));
    expect(sent).toEqual([]);
  },
);
