import { describe, expect, it } from "vitest";
import { pi } from "../../../src/agents/pi/definition.js";
import type { EventOf, EventType, HarnessEvent } from "../../../src/events/event.js";
import { translateTranscript } from "../../support/live-conformance.js";
import { readTranscript, type Transcript, transcriptNames } from "../../support/transcripts.js";

const folders = ["rpc-pi-0.74.2", "rpc-pi-0.87.1"];
const all = folders.flatMap((folder) => transcriptNames(folder).map((scenario) => ({ folder, scenario })));

function of<T extends EventType>(events: readonly HarnessEvent[], type: T): EventOf<T>[] {
  return events.filter((event): event is EventOf<T> => event.type === type);
}

function eventsOf(transcript: Transcript): HarnessEvent[] {
  return translateTranscript(pi, transcript).flatMap(({ events }) => events);
}

/** What is said in a turn (the user's words marked), how its calls and requests ended, and how it ended itself. */
function summary(events: readonly HarnessEvent[]): string[] {
  return events.flatMap((event) => {
    switch (event.type) {
      case "turn":
        return [`turn: ${event.prompt}`];
      case "agent":
        return [event.role === undefined ? event.message : `${event.role}: ${event.message}`];
      case "tool_end":
        return [`${event.name}: ${event.isSuccess ?? "open"}`];
      case "request":
        return [`${event.kind}: ${event.questions?.map(({ question }) => question)}`];
      case "request_end":
        return [event.outcome];
      case "error":
        return [`error: ${event.message}`];
      case "turn_end":
        return [event.failure === undefined ? event.reason : `${event.reason}: ${event.failure.kind}`];
      default:
        return [];
    }
  });
}

const cut = "the stream ended without the agent's final record";

/** The same in every version that has the scenario. */
const expected: Readonly<Record<string, readonly string[]>> = {
  api401: [
    ...["turn: Hi", "error: 401 bad key", "failed: auth"],
    ...["turn: Again", "error: 401 bad key", "failed: auth"],
  ],
  api500: ["turn: Hi", "error: 500 broken", "failed: provider"],
  cutoff: ["turn: Hi", "This text is cut in the mid", "Whole.", "completed"],
  "end-mid-turn": ["turn: Sleep", "bash: open", `error: ${cut}`, "failed: unknown"],
  hello: ["turn: First", "Hello, turn one.", "completed", "turn: Second", "Second answer.", "completed"],
  "interrupt-idle": ["turn: Hi", "One.", "completed"],
  "interrupt-text": [
    ...["turn: Talk", "Beginning. ", "interrupted"],
    ...["turn: Second", "Beginning. End.", "completed"],
  ],
  interrupt: ["turn: Sleep", "bash: false", "interrupted", "turn: Second", "After.", "completed"],
  "permission-allow": [
    ...["turn: Make", "question: Run this command?", "answered"],
    ...["bash: true", "Allowed.", "completed"],
  ],
  "permission-deny": [
    ...["turn: Make", "question: Run this command?", "answered"],
    ...["bash: false", "Denied.", "completed"],
  ],
  question: [
    ...["turn: Ask", "question: Which colour?", "answered", "question: Your name?", "answered"],
    ...["system: Thank you", "ask_user: true", "Fine.", "completed"],
  ],
  refused: ["turn: Hi", "error: Connection error.", "failed: network"],
  "resume-1": ["turn: Remember 42", "read: true", "My first answer.", "completed"],
  "resume-2": ["turn: What was it?", "Answer after resume.", "completed"],
  "second-while-busy": [
    ...["turn: Sleep", "user: SECOND-FOLLOWUP", "bash: true"],
    ...["After.", "Another.", "completed"],
  ],
  steer: [
    ...["turn: Sleep", "user: STEER-THIS", "user: FOLLOW-UP", "bash: true"],
    ...["I saw it.", "Another.", "completed"],
  ],
  "steer-idle": ["turn: Hi", "user: STEER-IDLE", "One.", "completed"],
  "steer-text": ["turn: Talk", "user: STEER-THIS", "Start. End.", "Answer to the steering.", "completed"],
  tools: [
    ...["turn: Do things", "Reading.", "read: true", "edit: true", "bash: true", "bash: false"],
    ...["bash: true", "write: true", "All done.", "completed"],
  ],
};

describe("pi rpc: transcripts against what the model saw", () => {
  it.each(all)("$folder/$scenario has these turns", ({ folder, scenario }) => {
    const events = eventsOf(readTranscript(folder, scenario));
    expect(summary(events)).toEqual(expected[scenario]);
    expect(of(events, "session")).toHaveLength(1);
  });

  /** Pi reports no tokens for an answer that was cut off or aborted. */
  it.each(all)(
    "$folder/$scenario counts the tokens of every complete answer once",
    ({ folder, scenario }) => {
      const transcript = readTranscript(folder, scenario);
      const answers = (transcript.end?.modelRequests ?? []).map(({ answer }) => answer);
      const complete = answers.flatMap(({ usage, isComplete }) => (usage && isComplete ? [usage] : []));
      const sum = (key: "input" | "cacheRead" | "output") =>
        complete.reduce((total, usage) => total + usage[key], 0);
      const usage = of(eventsOf(transcript), "usage");
      for (const scope of ["turn", "run"]) {
        const counts = usage.filter((event) => event.scope === scope);
        const total = (key: "inputTokens" | "cacheReadTokens" | "outputTokens") =>
          counts.reduce((all, event) => all + (event[key] ?? 0), 0);
        expect([scope, total("inputTokens"), total("cacheReadTokens"), total("outputTokens")]).toEqual([
          scope,
          ...[sum("input"), sum("cacheRead"), sum("output")],
        ]);
      }
      if (folder === "rpc-pi-0.87.1") {
        const reasoning = complete.reduce((total, one) => total + one.reasoning, 0);
        expect(usage.find(({ scope }) => scope === "run")?.reasoningTokens).toBe(reasoning);
      }
    },
  );

  it.each(all)("$folder/$scenario has the calls that the model made", ({ folder, scenario }) => {
    const transcript = readTranscript(folder, scenario);
    const calls = transcript.end?.modelRequests.flatMap(({ answer }) => answer.calls ?? []) ?? [];
    const started = of(eventsOf(transcript), "tool_start");
    expect(started.map(({ callId, name, input }) => ({ id: callId, tool: name, input }))).toEqual(calls);
  });

  it("takes the exit code of a failed command from its output", () => {
    const events = eventsOf(readTranscript("rpc-pi-0.74.2", "tools"));
    expect(of(events, "command").map(({ exitCode }) => exitCode)).toEqual([undefined, 3]);
  });

  it.each(folders)("%s: knows the session that --session takes", (folder) => {
    const first = eventsOf(readTranscript(folder, "resume-1"));
    const second = eventsOf(readTranscript(folder, "resume-2"));
    expect(first.at(-1)?.sessionId).toMatch(/^[0-9a-f-]{36}$/);
    expect(second.at(-1)?.sessionId).toBe(first.at(-1)?.sessionId);
  });

  it("reports a prompt that Pi refused during a turn", () => {
    const [warning] = of(eventsOf(readTranscript("rpc-pi-0.74.2", "second-while-busy")), "warning");
    expect(warning).toMatchObject({ code: "prompt_refused" });
  });
});
