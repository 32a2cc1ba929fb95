import { describe, expect, it } from "vitest";
import { codex } from "../../../src/agents/codex/definition.js";
import type { EventOf, EventType, HarnessEvent } from "../../../src/events/event.js";
import { translateTranscript } from "../../support/live-conformance.js";
import { readTranscript, type Transcript, transcriptNames } from "../../support/transcripts.js";

const folder = "app-server-codex";

/** What happened, read from the transcript by hand: `prompt → reason: answer`, and `tool: outcome` of each request. */
interface Expected {
  turns: readonly string[];
  requests?: readonly string[];
  failure?: string;
}

const expected: Readonly<Record<string, Expected>> = {
  always: {
    turns: ["Make a file twice → completed: Done."],
    requests: ["command_execution: allowed", "file_change: allowed"],
  },
  api401: { turns: ["Hi → completed: It works again.", "Again → completed: The script is over."] },
  api500: { turns: ["Hi → failed: "], failure: "provider" },
  "asked-commands": {
    turns: ["x → completed: Done."],
    requests: [...Array<string>(6).fill("command_execution: allowed"), "file_change: allowed"],
  },
  "asked-mcp": { turns: ["x → completed: Done."], requests: ["mcp__demo__add: allowed"] },
  "asked-subagent": {
    turns: ["Delegate → completed: Done."],
    requests: ["command_execution: allowed"],
  },
  cut: { turns: ["Hi → failed: This text is cut in the mid"], failure: "network" },
  "cut-once": { turns: ["Hi → completed: Whole."] },
  "declined-question": { turns: ["x → completed: Done."], requests: ["request_user_input: denied"] },
  "dynamic-tool": { turns: ["Look up → completed: Done."] },
  "elicitation-decline": {
    turns: ["Use the tool → completed: Done."],
    requests: ["mcp__demo__ask: denied"],
  },
  "end-mid-turn": { turns: ["Sleep → failed: "], failure: "unknown" },
  form: {
    turns: ["Use the tool → completed: Done."],
    requests: ["mcp__demo__ask: allowed", "demo: answered", "mcp__demo__add: allowed"],
  },
  hello: { turns: ["First → completed: Hello, turn one.", "Second → completed: Second answer."] },
  interrupt: { turns: ["Sleep → interrupted: ", "Second → completed: After the interrupt."] },
  "interrupt-clean": { turns: ["Sleep → interrupted: ", "Second → completed: After the interrupt."] },
  "interrupt-idle": { turns: ["Hi → completed: One."] },
  "interrupt-permission": {
    turns: ["Make → interrupted: ", "Second → completed: After."],
    requests: ["command_execution: withdrawn"],
  },
  "interrupt-text": { turns: ["Talk → interrupted: Beginning. ", "Second → completed: End."] },
  "interrupt-wait": { turns: ["Sleep → interrupted: ", "Second → completed: After the interrupt."] },
  "interrupted-early": { turns: ["x → completed: B", "y → completed: Next."] },
  "interrupted-subagent": { turns: ["Delegate → interrupted: "] },
  killed: { turns: ["Sleep → failed: "], failure: "killed" },
  "killed-term": { turns: ["Sleep → failed: "], failure: "unknown" },
  "not-initialized": { turns: [] },
  /** The last one is a compaction, which Codex counts as a turn of its own. */
  "other-model": { turns: ["One → completed: One.", "Two → completed: Two.", "(agent) → completed: "] },
  "permission-allow": {
    turns: ["Make a file → completed: Both allowed."],
    requests: ["command_execution: allowed", "file_change: allowed"],
  },
  "permission-amendment": {
    turns: ["Make files → completed: Done."],
    requests: ["command_execution: allowed", "command_execution: allowed"],
  },
  "permission-cancel": {
    turns: ["Make a file → interrupted: ", "Go on → completed: After cancel."],
    requests: ["command_execution: denied"],
  },
  "permission-deny": {
    turns: ["Make a file → completed: Both declined, I go on."],
    requests: ["command_execution: denied", "file_change: denied"],
  },
  "permission-error": {
    turns: ["Make a file → completed: After an error."],
    requests: ["command_execution: denied"],
  },
  "permission-on-request": {
    turns: ["Write outside → completed: Escalated."],
    requests: ["command_execution: allowed"],
  },
  "permission-sandbox": {
    turns: ["Make a file → completed: Done."],
    requests: ["file_change: allowed"],
  },
  plan: { turns: ["Plan → completed: Planned."] },
  question: {
    turns: ["Ask me → completed: # Plan\n- Paint it red\n"],
    requests: ["request_user_input: answered"],
  },
  "question-default-mode": {
    turns: ["Ask me → completed: Fine."],
    requests: ["request_user_input: answered"],
  },
  queued: { turns: ["Sleep → completed: First done.", "QUEUED → completed: Queued done."] },
  refused: { turns: ["Hi → failed: "], failure: "network" },
  "resume-1": { turns: ["Remember 42 → completed: My first answer."] },
  "resume-2": { turns: ["What was it? → completed: Answer after resume.", "Forked? → completed: Forked."] },
  schema: { turns: ['JSON → completed: {"a":1}'] },
  "second-while-busy": { turns: ["Sleep → completed: After the tool."] },
  steer: { turns: ["Sleep → completed: I saw the steering."] },
  "steered-text": { turns: ["Talk → completed: End."] },
  subagent: { turns: ["Delegate → completed: Done."] },
  tools: { turns: ["Do things → completed: All done."] },
  "two-threads": { turns: ["For A → completed: end."] },
};

/** Transcripts whose turns have fewer tokens than the model counted, and why. */
const uncounted: Readonly<Record<string, string>> = {
  "end-mid-turn": "the process ended before the counts came",
  "interrupted-subagent": "the subagent went on after the turn: its requests are steps outside of turns",
  killed: "the process ended before the counts came",
  "killed-term": "the process ended before the counts came",
  "two-threads": "one of the two threads is not that of the session",
};

/** Transcripts in which something that the model said is missing, and why. */
const unsaid: Readonly<Record<string, string>> = {
  "other-model": "the summary that a compaction makes is not in the stream",
  "two-threads": "one of the two threads is not that of the session",
};

/** Tools that are not calls in Codex's stream: questions are requests, and a plan is a notification. */
const notCalls: ReadonlySet<string> = new Set(["request_user_input", "update_plan"]);

function ofType<T extends EventType>(events: readonly HarnessEvent[], type: T): EventOf<T>[] {
  return events.filter((event): event is EventOf<T> => event.type === type);
}

const eventsOf = (transcript: Transcript): HarnessEvent[] =>
  translateTranscript(codex, transcript).flatMap((step) => step.events);

/** The answers that the model gave whole. */
function answersOf({ end }: Transcript) {
  return (end?.modelRequests ?? []).map(({ answer }) => answer).filter((answer) => answer.isComplete);
}

describe("every transcript of app-server", () => {
  it("is in the table", () => {
    expect(Object.keys(expected).sort()).toEqual(transcriptNames(folder).sort());
  });

  it.each(Object.entries(expected))("%s: turns, answers, requests and failures", (scenario, wanted) => {
    const events = eventsOf(readTranscript(folder, scenario));
    const ends = ofType(events, "turn_end");
    const turns = ofType(events, "turn").map(({ prompt }, index) => {
      const end = ends[index];
      return `${prompt ?? "(agent)"} → ${end?.reason}: ${end?.text ?? ""}`;
    });
    expect(turns).toEqual(wanted.turns);
    const outcomes = new Map(
      ofType(events, "request_end").map(({ requestId, outcome }) => [requestId, outcome]),
    );
    const requests = ofType(events, "request").map(
      ({ requestId, name }) => `${name}: ${outcomes.get(requestId)}`,
    );
    expect(requests).toEqual(wanted.requests ?? []);
    expect(ends.flatMap(({ failure }) => failure?.kind ?? [])).toEqual(
      wanted.failure ? [wanted.failure] : [],
    );
  });

  it.each(Object.keys(expected))("%s: tokens are those that the model counted", (scenario) => {
    const transcript = readTranscript(folder, scenario);
    const counted = answersOf(transcript).flatMap(({ usage }) => usage ?? []);
    const sum = (pick: (usage: (typeof counted)[number]) => number): number =>
      counted.reduce((total, usage) => total + pick(usage), 0);
    const events = eventsOf(transcript);
    const run = ofType(events, "usage").filter(({ scope }) => scope === "run");
    const wanted = {
      inputTokens: sum(({ input }) => input),
      cacheReadTokens: sum(({ cacheRead }) => cacheRead),
      outputTokens: sum(({ output }) => output),
      reasoningTokens: sum(({ reasoning }) => reasoning),
    };
    if (uncounted[scenario] !== undefined)
      return expect(run[0]?.inputTokens ?? 0).toBeLessThan(wanted.inputTokens);
    expect(run).toMatchObject(counted.length === 0 ? [] : [wanted]);
    expect(ofType(events, "usage").filter(({ scope }) => scope === "step")).toHaveLength(counted.length);
  });

  it.each(Object.keys(expected).filter((scenario) => unsaid[scenario] === undefined))(
    "%s: every call and every text of the model is there",
    (scenario) => {
      const transcript = readTranscript(folder, scenario);
      const events = eventsOf(transcript);
      const calls = answersOf(transcript).flatMap((answer) => answer.calls ?? []);
      const wanted = calls.filter(({ tool }) => !notCalls.has(tool)).map(({ id }) => id);
      expect(
        ofType(events, "tool_start")
          .map(({ callId }) => callId)
          .sort(),
      ).toEqual(wanted.sort());
      const said = ofType(events, "agent")
        .map(({ message }) => message)
        .join("");
      for (const { text = "" } of answersOf(transcript))
        expect(said).toContain(text.replace(/<\/?proposed_plan>\n?/g, ""));
    },
  );
});
