import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { ModelRequest } from "../../support/transcripts.js";
import { eventsOf, sessionOf, transcripts } from "./read-transcripts.js";

/** What the scripted model was asked as part of the conversation, and answered in full. */
function answersOf(name: string): ModelRequest["answer"][] {
  const requests = sessionOf(name).transcript.end?.modelRequests ?? [];
  return requests.map(({ answer }) => answer).filter(({ kind, isComplete }) => kind === "turn" && isComplete);
}

/** The turns of each transcript, what was asked, and how commands ended: read once, and kept. */
describe("the turns of every transcript", () => {
  const file = new URL("turns.txt", import.meta.url);
  const expected = new Map(
    readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => [line.slice(0, line.indexOf(": ")), line.slice(line.indexOf(": ") + 2)]),
  );

  it.each(transcripts)("%s", (name) => {
    expect(summaryOf(name)).toBe(expected.get(name));
  });
});

function summaryOf(name: string): string {
  const turns = eventsOf(name, "turn_end").map(
    ({ reason, failure }) => `${reason}${failure ? ` (${failure.kind})` : ""}`,
  );
  const outcomes = eventsOf(name, "request_end").map(({ outcome }) => outcome);
  const commands = eventsOf(name, "command").map(({ exitCode, isSuccess }) => exitCode ?? isSuccess ?? "-");
  const parts = [turns.join(", ") || "no turn"];
  if (outcomes.length > 0) parts.push(`requests: ${outcomes.join(" ")}`);
  if (commands.length > 0) parts.push(`commands: ${commands.join(" ")}`);
  return parts.join("; ");
}

/** Answers that are not in the stream as they were given, and why. */
const unsaid: Readonly<Record<string, string>> = {
  "acp-claude-agent-acp/interrupt-text": "interrupted in the middle",
  "acp-codex-acp/hello": "the request for a title looks like a turn to the script",
  "acp-codex-acp/interrupt-text": "interrupted in the middle; the second answer comes as two messages",
  "acp-codex-acp/modes": "the request for a title looks like a turn to the script",
  "acp-codex-acp/permission-cancel-unanswered": "the request for a title looks like a turn to the script",
  "acp-copilot/interrupt-text": "interrupted in the middle",
  "acp-gemini/interrupt-text": "interrupted in the middle",
  "acp-opencode/interrupt-text": "interrupted in the middle",
};

/** Agents that do not report what their subagents say. */
const silentSubagents = /^acp-(?:goose|claude-agent-acp)\/subagent$/;

describe("what the model said", () => {
  it.each(transcripts)("%s has every answer as one message", (name) => {
    const answers = answersOf(name).flatMap(({ text }) => (text ? [text] : []));
    const messages = eventsOf(name, "agent").filter(({ role }) => role === undefined);
    const said = messages.map(({ message }) => message);
    const expected = silentSubagents.test(name)
      ? answers.filter((text) => !text.startsWith("Sub "))
      : answers;
    if (name in unsaid) expect(said).not.toEqual(expected);
    else expect(said.filter((message) => answers.includes(message))).toEqual(expected);
  });

  it.each(transcripts)("%s has the pieces of every message before it", (name) => {
    const pieces = new Map<string | undefined, string>();
    for (const event of sessionOf(name).events) {
      if (event.type === "text")
        pieces.set(event.messageId, (pieces.get(event.messageId) ?? "") + event.delta);
      if (event.type === "warning" && event.code === "text_withdrawn") pieces.clear();
      if (event.type === "agent" && event.role === undefined)
        expect(pieces.get(event.messageId)).toBe(event.message);
    }
  });
});

/** Calls of the model that the agent does not report, and why. */
const unreported: Readonly<Record<string, string>> = {
  "acp-claude-agent-acp/plan": "claude-agent-acp sends the list, not the calls",
  "acp-codex-acp/permission-cancel-unanswered": "the request for a title looks like a turn to the script",
  "acp-codex-acp/permission-deny": "the request for a title looks like a turn to the script",
  "acp-codex-acp/plan": "codex-acp does not report its plan tool",
  "acp-codex-acp/subagent": "codex-acp does not report a call of a tool that it does not offer",
  "acp-gemini/question": "Gemini CLI does not report a call of a tool that it does not offer",
  "acp-kilo/subagent": "Kilo does not report what a subagent does",
  "acp-qwen/plan": "Qwen Code sends the list, not the call",
  "acp-qwen/end-mid-turn": "the process ended before it asked for the call",
};
/** Subagents' own calls are not reported, except by a name in a notification (Goose). */
const silentCalls = /^acp-goose\/subagent$/;

describe("what the model called", () => {
  it.each(transcripts)("%s has a start for every call, with its tool", (name) => {
    const calls = answersOf(name).flatMap((answer) => answer.calls ?? []);
    const starts = eventsOf(name, "tool_start");
    const missing = calls.filter(({ id }) => !starts.some(({ callId }) => callId.endsWith(id)));
    if (name in unreported) expect(missing).not.toEqual([]);
    else if (silentCalls.test(name)) expect(missing).toHaveLength(1);
    else expect(missing).toEqual([]);
  });

  it.each(transcripts.filter((name) => /^acp-(?:goose|gemini|qwen|copilot|cline|opencode)\//.test(name)))(
    "%s names the tools as the model does",
    (name) => {
      const calls = answersOf(name).flatMap((answer) => answer.calls ?? []);
      for (const { callId, name: tool } of eventsOf(name, "tool_start")) {
        const call = calls.find(({ id }) => callId.endsWith(id));
        if (call !== undefined) expect(tool).toBe(call.tool);
      }
    },
  );
});

type Class = "input" | "cacheRead" | "output" | "reasoning";

/** Which counts of the model each class of a turn contains. What an agent does not report is left out. */
const classes: Readonly<Record<string, Partial<Record<string, readonly Class[]>>>> = {
  "acp-gemini": { inputTokens: ["input", "cacheRead"] },
  "acp-qwen": {
    inputTokens: ["input"],
    cacheReadTokens: ["cacheRead"],
    outputTokens: ["output"],
    reasoningTokens: ["reasoning"],
  },
  "acp-copilot": {
    inputTokens: ["input"],
    cacheReadTokens: ["cacheRead"],
    outputTokens: ["output"],
    reasoningTokens: ["reasoning"],
  },
  "acp-claude-agent-acp": {
    inputTokens: ["input"],
    cacheReadTokens: ["cacheRead"],
    outputTokens: ["output"],
  },
  "acp-codex-acp": {
    inputTokens: ["input"],
    cacheReadTokens: ["cacheRead"],
    outputTokens: ["output"],
    reasoningTokens: ["reasoning"],
  },
};

/** Sessions whose figures do not cover every request, and why. */
const uncounted: Readonly<Record<string, string>> = {
  "acp-claude-agent-acp/interrupt": "an interrupted turn has no figures",
  "acp-claude-agent-acp/permission-cancelled": "an interrupted turn has no figures",
  "acp-claude-agent-acp/subagent": "the requests of the subagent are only in the cost",
  "acp-codex-acp/hello": "the request for a title looks like a turn to the script",
  "acp-codex-acp/modes": "the request for a title looks like a turn to the script",
  "acp-codex-acp/permission-cancel-unanswered": "the request for a title looks like a turn to the script",
  "acp-codex-acp/permission-deny": "the request for a title looks like a turn to the script",
  "acp-gemini/interrupt": "an interrupted turn has no figures",
  "acp-gemini/permission-cancelled": "an interrupted turn has no figures",
  "acp-gemini/second-while-busy": "the prompt that was cancelled has no figures",
};

describe("the tokens of turns", () => {
  const counting = transcripts.filter((name) => {
    const [folder = ""] = name.split("/");
    return folder in classes && eventsOf(name, "usage").some(({ scope }) => scope === "turn");
  });

  it.each(counting)("%s counts what the model counted", (name) => {
    const [folder = ""] = name.split("/");
    const usages = eventsOf(name, "usage").filter(({ scope }) => scope === "turn");
    const sum = (key: string) =>
      usages.reduce((total, usage) => total + Number((usage as Record<string, unknown>)[key] ?? 0), 0);
    const truth = (parts: readonly Class[]) =>
      answersOf(name).reduce(
        (total, { usage }) => total + parts.reduce((count, part) => count + (usage?.[part] ?? 0), 0),
        0,
      );
    const counted: Record<string, number> = {};
    const expected: Record<string, number> = {};
    for (const [key, parts] of Object.entries(classes[folder] ?? {})) {
      counted[key] = sum(key);
      expected[key] = truth(parts ?? []);
    }
    if (name in uncounted) expect(counted).not.toEqual(expected);
    else expect(counted).toEqual(expected);
  });

  it("of Goose, OpenCode and Kilo are those of a turn only if the model was asked once", () => {
    for (const name of ["acp-goose/tools", "acp-opencode/tools", "acp-kilo/tools"]) {
      const scopes = eventsOf(name, "usage").map(({ scope }) => scope);
      expect(scopes, name).toEqual(["step"]);
    }
    for (const name of ["acp-goose/hello", "acp-opencode/hello", "acp-kilo/hello"]) {
      const scopes = eventsOf(name, "usage").map(({ scope }) => scope);
      expect(scopes, name).toEqual(["turn", "turn", "run"]);
    }
  });
});

describe("the cost of turns", () => {
  it("is the difference of the session's cost before and after", () => {
    const costs = eventsOf("acp-goose/permission-deny", "turn_end").map(({ costUsd }) => costUsd);
    expect(costs).toEqual([0.00115, 0.000575]);
    const resumed = eventsOf("acp-goose/resume-2", "turn_end").map(({ costUsd }) => costUsd);
    expect(resumed, "the cost before the session was loaded is not counted again").toEqual([0.000575]);
  });
});
