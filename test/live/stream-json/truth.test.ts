import { describe, expect, it } from "vitest";
import { claude } from "../../../src/agents/claude/definition.js";
import type { HarnessEvent } from "../../../src/events/event.js";
import { translateTranscript } from "../../support/live-conformance.js";
import { type ModelRequest, readTranscript, transcriptNames } from "../../support/transcripts.js";
import { expected } from "./expected.js";
import { summaryOf } from "./summary.js";

const versions = ["2.1.197", "2.1.325"];
const all = versions.flatMap((version) =>
  transcriptNames(`stream-json-claude-${version}`).map((scenario) => ({ version, scenario })),
);

function read(version: string, scenario: string) {
  const transcript = readTranscript(`stream-json-claude-${version}`, scenario);
  const events = translateTranscript(claude, transcript).flatMap((step) => step.events);
  const answers = (transcript.end?.modelRequests ?? []).map(({ answer }) => answer);
  return { transcript, events, answers };
}

describe.each(all)("Claude Code $version, $scenario", ({ version, scenario }) => {
  const { events, answers } = read(version, scenario);

  it("has the turns, requests and outcomes that happened", () => {
    const lines = expected[scenario];
    const own = lines !== undefined && "length" in lines ? lines : lines?.[version];
    expect(summaryOf(events)).toEqual(own);
  });

  it("has every text and every call of the model", () => {
    const said = events.map((event) => (event.type === "agent" ? event.message : "")).join("");
    const unsaid = answers.filter(isWhole).flatMap(({ text = "" }) => (said.includes(text) ? [] : [text]));
    expect(unsaid).toEqual(notShown[`${version} ${scenario}`]?.texts ?? []);
    const called = new Set(events.map((event) => (event.type === "tool_start" ? event.callId : "")));
    const calls = answers.filter(isWhole).flatMap(({ calls: made = [] }) => made);
    expect(calls.filter(({ id }) => !called.has(id))).toEqual([]);
  });

  it("has the tokens that the model counted", () => {
    const difference =
      tokensIn(events) - answers.filter(isWhole).reduce((sum, one) => sum + tokensOf(one), 0);
    expect(difference).toBe(counted[`${version} ${scenario}`]?.more ?? 0);
  });

  it("leaves nothing unrecognised but tools of MCP servers", () => {
    const unknown = events.filter((event) => event.type === "unknown");
    expect(unknown.length).toBe(scenario === "sdk-mcp" ? 2 : 0);
  });
});

/** Why a text that the model answered is not in the events. */
const notShown: Readonly<Record<string, { texts: readonly string[]; because: string }>> = {
  "2.1.325 slash": {
    texts: ["Summary of all.", "Summary of all."],
    because: "the summary of a compaction goes to the model, not to the user",
  },
  "2.1.197 subagent": {
    texts: ["Two files."],
    because: "the last words of a subagent are the result of its call, and no message",
  },
};

/** Why the turns have other sums than the model. */
const counted: Readonly<Record<string, { more: number; because: string }>> = {
  "2.1.197 killed-term": { more: -150, because: "a turn without a result has no sum, only its steps" },
  "2.1.325 killed-term": { more: -150, because: "a turn without a result has no sum, only its steps" },
  "2.1.325 controls": {
    more: -150,
    because: "set_model tries the model with a request that no result counts",
  },
  "2.1.325 cutoff": { more: 726, because: "it counts the beginnings of answers that were cut" },
};

function isWhole({ status, isComplete }: ModelRequest["answer"]): boolean {
  return status === 200 && isComplete !== false;
}

function tokensOf({ usage }: ModelRequest["answer"]): number {
  if (usage === undefined) return 0;
  return usage.input + usage.cacheRead + usage.cacheWrite + usage.output;
}

function tokensIn(events: readonly HarnessEvent[]): number {
  return events.reduce(
    (sum, event) => (event.type === "usage" && event.scope === "turn" ? sum + (event.totalTokens ?? 0) : sum),
    0,
  );
}
