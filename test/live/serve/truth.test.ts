import { describe, expect, it } from "vitest";
import type { AgentDefinition } from "../../../src/agents/definition.js";
import { kilo } from "../../../src/agents/kilo/definition.js";
import { opencode } from "../../../src/agents/opencode/definition.js";
import type { EventOf, EventType, HarnessEvent } from "../../../src/events/event.js";
import { translateTranscript } from "../../support/live-conformance.js";
import { readTranscript } from "../../support/transcripts.js";

/*
 * What happened in each recorded conversation. The prompts, answers, calls and tokens are those of the scripted model; the answers
 * to requests are those of the client that made the recordings.
 *
 * What the stream cannot say: the request that makes the session's title, and the tokens of a request that was aborted.
 */

const folders: readonly [AgentDefinition, string][] = [
  [opencode, "serve-opencode"],
  [kilo, "serve-kilo"],
];

function eventsOf(agent: AgentDefinition, folder: string, scenario: string): HarnessEvent[] {
  return translateTranscript(agent, readTranscript(folder, scenario)).flatMap(({ events }) => events);
}

function ofType<T extends EventType>(events: readonly HarnessEvent[], type: T): EventOf<T>[] {
  return events.filter((event): event is EventOf<T> => event.type === type);
}

interface Conversation {
  turns: unknown[];
  requests: unknown[];
  calls: unknown[];
}

/** The conversation in short. */
function summaryOf(events: readonly HarnessEvent[]): Conversation {
  const ends = ofType(events, "turn_end");
  const outcomes = new Map(
    ofType(events, "request_end").map(({ requestId, outcome }) => [requestId, outcome]),
  );
  const exits = new Map(ofType(events, "command").map(({ callId, exitCode }) => [callId, exitCode]));
  const callEnds = new Map(ofType(events, "tool_end").map(({ callId, isSuccess }) => [callId, isSuccess]));
  const starts = ofType(events, "tool_start");
  const nameOf = (callId: string | undefined) => starts.find((call) => call.callId === callId)?.name;
  return {
    turns: ofType(events, "turn").map(({ turnId, prompt, origin }) => {
      const end = ends.find((one) => one.turnId === turnId);
      const usage = events.find(
        (one) => one.type === "usage" && one.scope === "turn" && one.turnId === turnId,
      );
      return {
        prompt,
        origin,
        reason: end?.reason,
        ...(end?.text !== undefined && { text: end.text }),
        ...(end?.failure !== undefined && { failure: end.failure.kind }),
        ...(usage?.type === "usage" && {
          tokens: [usage.inputTokens, usage.cacheReadTokens, usage.outputTokens, usage.reasoningTokens],
        }),
      };
    }),
    requests: ofType(events, "request").map(({ requestId, kind, name, operations, parentCallId }) => ({
      kind,
      name,
      ...(operations !== undefined && { operations }),
      ...(parentCallId !== undefined && { of: nameOf(parentCallId) }),
      outcome: outcomes.get(requestId),
    })),
    calls: starts.map(({ callId, name, parentCallId }) => [
      ...(parentCallId === undefined ? [] : [nameOf(parentCallId)]),
      name,
      callEnds.get(callId),
      ...(exits.has(callId) ? [exits.get(callId)] : []),
    ]),
  };
}

const command = (text: string) => ({ type: "command", command: text });
const user = { origin: "user" };
/** One request of the scripted model: input, cached input, output, reasoning. */
const oneRequest = [100, 20, 30, 0];
const times = (count: number): number[] => oneRequest.map((tokens) => tokens * count);
/** The recording ends here, without an exit code, and before the turn does. */
const cutOff = { reason: "failed", failure: "crash" };

const truth: Readonly<Record<string, Conversation>> = {
  hello: {
    turns: [
      {
        ...user,
        prompt: "SCEN-HELLO first",
        reason: "completed",
        text: "Hello, turn one.",
        tokens: [100, 20, 30, 10],
      },
      { ...user, prompt: "second", reason: "completed", text: "Second answer.", tokens: oneRequest },
    ],
    requests: [],
    calls: [],
  },
  tools: {
    turns: [{ ...user, prompt: "SCEN-TOOLS", reason: "completed", text: "All done.", tokens: times(5) }],
    requests: [
      {
        kind: "permission",
        name: "edit",
        operations: [{ type: "write", path: "/workspace/src/add.js" }],
        outcome: "allowed",
      },
      { kind: "permission", name: "bash", operations: [command("echo bad; exit 3")], outcome: "allowed" },
    ],
    calls: [
      ["read", true],
      ["edit", true],
      ["bash", false, 3],
      ["todowrite", true],
    ],
  },
  subagent: {
    turns: [{ ...user, prompt: "SCEN-SUB", reason: "completed", text: "Done.", tokens: times(4) }],
    requests: [
      {
        kind: "permission",
        name: "bash",
        operations: [command("touch by-subagent.txt")],
        of: "task",
        outcome: "allowed",
      },
    ],
    calls: [
      ["task", true],
      ["task", "bash", true, 0],
    ],
  },
  question: {
    turns: [{ ...user, prompt: "SCEN-QUESTION", reason: "completed", text: "Fine.", tokens: times(2) }],
    requests: [{ kind: "question", name: "question", outcome: "answered" }],
    calls: [["question", true]],
  },
  /** The client sent the second prompt after the first of two reports that the session is idle. */
  interrupt: {
    turns: [
      { ...user, prompt: "SCEN-SLEEP", reason: "interrupted" },
      { ...user, prompt: "second", ...cutOff },
    ],
    requests: [
      { kind: "permission", name: "bash", operations: [command("sleep 25; echo slept")], outcome: "allowed" },
    ],
    calls: [["bash", undefined, undefined]],
  },
  api401: {
    turns: [{ ...user, prompt: "SCEN-FAIL", reason: "failed", failure: "auth" }],
    requests: [],
    calls: [],
  },
};

/** OpenCode answers both prompts in one go. Kilo ends the first, and its recording stops before the end of the second. */
const busy: Readonly<Record<string, object>> = {
  opencode: { reason: "completed", text: "After." },
  kilo: { ...cutOff, text: "After." },
};

describe.each(folders.map(([agent, folder]) => ({ agent, folder })))("$folder", ({ agent, folder }) => {
  it.each(Object.entries(truth))(`${agent.id}: %s is reported as it happened`, (scenario, expected) => {
    expect(summaryOf(eventsOf(agent, folder, scenario))).toEqual(expected);
  });

  it(`${agent.id}: a prompt joins the running turn`, () => {
    const events = eventsOf(agent, folder, "second-while-busy");
    expect(summaryOf(events).turns).toEqual([
      { ...user, prompt: "SCEN-BUSY", tokens: times(2), ...busy[agent.id] },
    ]);
    expect(ofType(events, "agent").map(({ role, message }) => [role, message])).toEqual([
      ["user", "SECOND-WHILE-BUSY"],
      [undefined, "After."],
    ]);
  });

  it(`${agent.id}: the session is announced once, with its model, directory and id`, () => {
    const [session, ...more] = ofType(eventsOf(agent, folder, "hello"), "session");
    expect(session).toMatchObject({ model: "scripted/scripted-model", cwd: "/workspace" });
    expect(session?.sessionId).toMatch(/^ses_/);
    expect(more).toEqual([]);
  });

  it(`${agent.id}: the to-do list is a plan`, () => {
    const plans = ofType(eventsOf(agent, folder, "tools"), "plan");
    expect(plans.map(({ entries }) => entries)).toEqual([
      [{ content: "First", status: "in_progress", priority: "medium" }],
    ]);
  });

  it(`${agent.id}: a subagent is reported from its start, and what it says is marked as its own`, () => {
    const events = eventsOf(agent, folder, "subagent");
    const [call] = ofType(events, "tool_start");
    expect(ofType(events, "orchestration")).toMatchObject([
      { action: "subagent_started", subagentName: "general", callId: call?.callId },
      { action: "subagent_completed", subagentName: "general", callId: call?.callId },
    ]);
    expect(ofType(events, "agent").map(({ message, parentCallId }) => [message, parentCallId])).toEqual([
      ["Sub report.", call?.callId],
      ["Done.", undefined],
    ]);
  });

  it(`${agent.id}: texts and thoughts stream, and a text follows whole`, () => {
    const events = eventsOf(agent, folder, "hello");
    const pieces = ofType(events, "text");
    expect(pieces.map(({ delta }) => delta).join("")).toBe("Hello, turn one.Second answer.");
    const ids = ofType(events, "agent").map(({ messageId }) => messageId);
    expect([...new Set(pieces.map(({ messageId }) => messageId))]).toEqual(ids);
    expect(ofType(events, "thinking").map(({ delta }) => delta)).toEqual(["Thi", "nki", "ng."]);
  });
});

describe("OpenCode's recordings beside the model's own account", () => {
  const requests = readTranscript("serve-opencode", "all").end?.modelRequests ?? [];
  /** The scenarios whose requests all ended, by what the last user said in them. */
  const prompts: Readonly<Record<string, string[]>> = {
    hello: ["SCEN-HELLO first", "second"],
    tools: ["SCEN-TOOLS"],
    subagent: ["SCEN-SUB", "TASK-1 list the folder"],
    question: ["SCEN-QUESTION"],
    "second-while-busy": ["SCEN-BUSY", "SECOND-WHILE-BUSY"],
  };
  /** The second prompt of the interrupted conversation is the same as that of the first conversation. */
  const isOther = (text: string | undefined): boolean => text === "After the interrupt.";

  it.each(Object.entries(prompts))("%s: its tokens are what the model counted", (scenario, users) => {
    const asked = requests.filter(
      ({ step, lastUser, answer }) => step !== undefined && users.includes(lastUser) && !isOther(answer.text),
    );
    const total = (pick: (usage: NonNullable<(typeof asked)[0]["answer"]["usage"]>) => number): number =>
      asked.reduce((sum, { answer }) => sum + (answer.usage === undefined ? 0 : pick(answer.usage)), 0);
    const [usage] = ofType(eventsOf(opencode, "serve-opencode", scenario), "usage").filter(
      ({ scope }) => scope === "run",
    );
    expect(usage).toMatchObject({
      inputTokens: total(({ input, cacheWrite }) => input + cacheWrite),
      cacheReadTokens: total(({ cacheRead }) => cacheRead),
      outputTokens: total(({ output }) => output),
      reasoningTokens: total(({ reasoning }) => reasoning),
    });
  });

  it.each(Object.entries(prompts))("%s: its calls are those that the model made", (scenario, users) => {
    const made = requests
      .filter(({ step, lastUser }) => step !== undefined && users.includes(lastUser))
      .flatMap(({ answer }) => answer.calls?.map(({ id }) => id) ?? []);
    const starts = ofType(eventsOf(opencode, "serve-opencode", scenario), "tool_start");
    expect(starts.map(({ callId }) => callId).sort()).toEqual(made.sort());
  });
});

it("a resumed session is the one that the prompt goes to", () => {
  const events = eventsOf(opencode, "serve-opencode", "resume-2");
  expect(ofType(events, "turn")).toMatchObject([
    { prompt: "What was it?", sessionId: "ses_e1d0e697bffesfJOVYAVBUiY02" },
  ]);
});
