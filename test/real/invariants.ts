import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { requireAgent } from "../../src/agents/registry.js";
import type { HarnessEvent } from "../../src/events/event.js";
import { formats } from "../../src/outputs/formats.js";
import { readMeta } from "../../src/runs/recording/meta.js";
import { replayOptionsOf, replayRecording } from "../../src/runs/recording/replay.js";
import { type RecordedRequest, totalUsage } from "../../src/testing/index.js";
import { toNdjson } from "../../src/text/to-json.js";
import type { AgentProfile } from "./profile.js";
import type { Observed } from "./run-harness.js";
import type { Expected } from "./scenario.js";
import { conversationOf, hasAnswer, ofType } from "./seen.js";

/** Rules that hold for every run of every agent, however it ended. */
export async function expectSoundRun(run: Observed, profile: AgentProfile): Promise<void> {
  expect(run.survivors, "nothing of the run is alive").toEqual([]);
  expectOrder(run.events);
  expectPairedCalls(run.events);
  await expectSameReplay(run, profile.agent);
}

function expectOrder(events: readonly HarnessEvent[]): void {
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index));
  expect(events[0]?.type).toBe("started");
  expect(events.at(-1)?.type).toBe("exited");
  for (const type of ["started", "result", "exited"] as const) expect(ofType(events, type)).toHaveLength(1);
  expect(new Set(events.map(({ runId }) => runId)).size).toBe(1);
}

function expectPairedCalls(events: readonly HarnessEvent[]): void {
  const started = ofType(events, "tool_start").map(({ callId }) => callId);
  const ended = ofType(events, "tool_end").map(({ callId }) => callId);
  expect(ended.toSorted(), "every call that began has an end").toEqual(started.toSorted());
  expect(new Set(started).size, "calls have ids of their own").toBe(started.length);
}

async function expectSameReplay({ recording, events }: Observed, agent: string): Promise<void> {
  const views = {
    events: formats.events.create(),
    ndjson: formats.ndjson.create(),
    full: formats.full.create(),
  };
  const text = { events: "", ndjson: "", full: "" };
  const options = replayOptionsOf(readMeta(recording.meta));
  for await (const steps of replayRecording(requireAgent(agent), recording.raw, options)) {
    for (const step of steps) {
      text.events += toNdjson(views.events.push(step.events));
      text.ndjson += toNdjson(views.ndjson.push(step.events));
      text.full += toNdjson(views.full.push(step.events));
    }
  }
  expect(text.full === toNdjson(events), "the replay gives what was printed").toBe(true);
  expect(text.events === readFileSync(recording.events, "utf8"), "… and events.jsonl").toBe(true);
  expect(text.ndjson === readFileSync(recording.ndjson, "utf8"), "… and the .ndjson").toBe(true);
}

/** No secret appears anywhere, and the pieces of a message add up to the message. */
export function expectHidden({ events, stderr, recording }: Observed, secrets: readonly string[]): void {
  const files = [recording.raw, recording.events, recording.ndjson, recording.meta];
  const texts = [JSON.stringify(events), stderr, ...files.map((file) => readFileSync(file, "utf8"))];
  for (const text of texts) {
    for (const secret of secrets) expect(text.includes(secret.slice(7, 15)), secret).toBe(false);
  }
  const streamed = ofType(events, "text").map(({ delta }) => delta);
  const whole = ofType(events, "agent").map(({ message }) => message);
  if (streamed.length > 0) expect(streamed.join("")).toBe(whole.join(""));
}

function maskedIn(text: string, masked: Expected["masked"] = {}): string {
  return Object.entries(masked).reduce((masking, [secret, mark]) => masking.replaceAll(secret, mark), text);
}

/** Compares the text, calls and tokens in the stream with what the model really sent. */
export function expectModelSide(run: Observed, profile: AgentProfile, expected: Expected): void {
  const conversation = conversationOf(run.requests);
  const own = conversation.filter(({ subagent }) => subagent === undefined);
  expect(ofType(run.events, "started")[0]?.cwd).toBe(run.workspace);
  const isAnswered = run.stop?.began.isAnswered ?? hasAnswer(run.requests);
  const { tellsSession = true } = profile;
  const isTold = tellsSession === "atEnd" ? expected.exitCode === 0 : tellsSession;
  if (isAnswered) expect(run.events.at(-1)?.sessionId !== undefined).toBe(isTold);
  if (expected.exitCode !== 0) return;

  const said = own
    .filter(({ answer }) => answer.kind === "turn")
    .map(({ answer }) => maskedIn(answer.text, expected.masked));
  const messages = ofType(run.events, "agent").filter(({ parentCallId, role }) => !parentCallId && !role);
  // Some agents report an interrupted answer as a message, others ignore it.
  const cut = own.filter(({ answer }) => answer.kind === "fault").map(({ answer }) => answer.text);
  const whole = messages.map(({ message }) => message).filter((message) => !cut.includes(message));
  expect(whole).toEqual(said.filter((text) => text !== ""));

  const sent = own.flatMap(({ answer }) => answer.calls.map(({ id }) => id));
  const answered = own.flatMap(({ toolResults }) => toolResults.map(({ callId }) => callId));
  expect(answered.map(sentId).toSorted(), "the model got a result for every call").toEqual(sent.toSorted());
  const started = ofType(run.events, "tool_start").filter(({ parentCallId }) => !parentCallId);
  const calls = expected.ownCalls ? started.filter(({ callId }) => sent.includes(sentId(callId))) : started;
  expect(started.length - calls.length, "the agent's own calls").toBe(expected.ownCalls ?? 0);
  if (expected.operations !== "*")
    expect(calls.length + (expected.hiddenCalls ?? 0), "every call is in the stream").toBe(sent.length);
  if (profile.keepsCallIds)
    expect(calls.map(({ callId }) => sentId(callId)).toSorted()).toEqual(sent.toSorted());

  /** Some agents put the tool's name before the id, or append an id of their own. */
  function sentId(callId: string): string {
    return sent.find((id) => callId.includes(id)) ?? callId;
  }

  const thought = conversation.map(({ answer }) => answer.thinking).join("");
  const thinking = ofType(run.events, "thinking").map(({ delta, message }) => delta ?? message ?? "");
  if (profile.showsThinking) expect(thinking.join("")).toBe(thought);
}

/**
 * Compares tokens exactly, class by class. If an agent reports the totals of its session only, the `earlier` run is added,
 * and the agent's numbers must be marked as those of the session.
 */
export function expectUsage(run: Observed, profile: AgentProfile, earlier: Observed | undefined): void {
  const isWholeSession = earlier !== undefined && profile.countsSessions === true;
  const requests = [...(isWholeSession ? earlier.requests : []), ...run.requests];
  const counted = requests.filter(
    ({ subagent }) => subagent === undefined || profile.countsSubagents !== false,
  );
  const sides = counted.filter(({ answer }) => profile.countsSideRequests && answer.kind === "side");
  const total = totalUsage([...counted, ...sides.map(asTurn)]);
  const usages = ofType(run.events, "usage").filter(({ scope }) => scope !== "step");
  const { usage: reported } = profile;
  if (reported === undefined) {
    expect(usages, "nothing is reported of tokens").toEqual([]);
    return;
  }
  const names = [
    "inputTokens",
    "cacheReadTokens",
    "cacheWriteTokens",
    "outputTokens",
    "reasoningTokens",
  ] as const;
  const classes = names.flatMap((name) => {
    const parts = reported[name];
    return parts === undefined ? [] : [[name, parts.reduce((sum, part) => sum + total[part], 0)]];
  });
  expect(usages.map((usage) => pick(usage, [...names, "totalTokens", "scope"]))).toEqual([
    {
      ...Object.fromEntries(classes),
      totalTokens: total.input + total.cacheRead + total.cacheWrite + total.output,
      scope: isWholeSession ? "session" : "run",
    },
  ]);
}

/** A request outside the conversation, for agents that count them like the others. */
function asTurn(request: RecordedRequest): RecordedRequest {
  return { ...request, answer: { ...request.answer, kind: "turn" } };
}

function pick(value: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(value).filter(([name]) => names.includes(name)));
}
