import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AgentDefinition } from "../../src/agents/definition.js";
import { createFramedTranslator } from "../../src/agents/frame/frame.js";
import type { HarnessEvent } from "../../src/events/event.js";
import { brokenRules, invalidEvents } from "../../src/testing/check/stream-rules.js";
import { type Capture, captureNames, readCapture, recordsOf, translateCapture } from "./captures.js";
import { describeOutcomeConformance } from "./outcome-conformance.js";
import { kindsOfPrefixes, kindsOfRecords, maimed, typeOfLine } from "./record-kinds.js";

/**
 * What every agent's translator must keep, whatever the agent prints. Each agent's test calls this;
 * an agent is not done before it passes.
 */
export function describeConformance(agent: AgentDefinition): void {
  const scenarios = captureNames(agent.id);

  describe(`${agent.id}: every capture`, () => {
    it.each(scenarios)("%s is translated without loss, in order, and ends once", (scenario) => {
      const lines = translateCapture(agent, readCapture(agent.id, scenario));
      for (const { record, events, rule } of lines) {
        if (record?.stream === "exit") continue;
        const isAccountedFor = events.length > 0 || (rule !== undefined && rule !== "");
        expect(isAccountedFor, `no event and no rule for ${JSON.stringify(record)}`).toBe(true);
      }
      expectWellFormed(lines.flatMap((line) => line.events));
    });

    it.each(scenarios)("%s has the same id on a message and on its pieces", (scenario) => {
      const events = translateCapture(agent, readCapture(agent.id, scenario)).flatMap((line) => line.events);
      expect(unfinishedPieces(events)).toEqual([]);
    });

    it.each(scenarios)("%s replays to the same events from a serialised recording", (scenario) => {
      const capture = readCapture(agent.id, scenario);
      const live = translateCapture(agent, capture).flatMap((line) => line.events);
      const { cwd, isResumed } = capture;
      const translator = createFramedTranslator(agent, { runId: `${agent.id}-${scenario}`, cwd, isResumed });
      const replayed = translator.start(live[0]?.timestamp);
      for (const record of recordsOf(capture))
        replayed.push(...translator.record(JSON.parse(JSON.stringify(record))));
      expect(replayed).toEqual(live);
    });
  });

  describeOutcomeConformance(agent, expectWellFormed);

  describe(`${agent.id}: any input`, () => {
    const captured = scenarios.map((scenario) => readCapture(agent.id, scenario));

    it("survives arbitrary text", () => {
      fc.assert(
        fc.property(fc.array(fc.string({ unit: "binary" })), (lines) => expectSurvives(agent, lines)),
        { numRuns: 150 },
      );
    });

    it("survives arbitrary JSON records of its own types", () => {
      const types = [...new Set(captured.flatMap((capture) => capture.stdout.map(typeOfLine)))];
      const record = fc
        .tuple(
          fc.constantFrom(...types),
          fc.dictionary(fc.constantFrom(...commonKeys), fc.jsonValue({ maxDepth: 3 })),
        )
        .map(([type, rest]) => JSON.stringify({ ...rest, ...type }));
      fc.assert(
        fc.property(fc.array(record), (lines) => expectSurvives(agent, lines)),
        { numRuns: 300 },
      );
    });

    it("survives captures whose lines were cut, dropped, doubled, swapped or whose values were replaced", () => {
      const lines = captured.flatMap((capture) => capture.stdout).filter((line) => line.length < 20_000);
      const line = fc
        .constantFrom(...lines)
        .chain((text) => fc.oneof(fc.constant(text), cutLine(text), spoiltLine(text)));
      fc.assert(
        fc.property(fc.array(line, { maxLength: 40 }), (list) => expectSurvives(agent, list)),
        { numRuns: 300 },
      );
    });

    it("survives every prefix of a run, as a killed process leaves it", () => {
      for (const { capture, lengths } of kindsOfPrefixes(captured)) {
        for (const length of lengths) expectEndsAnywhere(agent, capture, length);
      }
    });

    it("accounts for every single record of a capture, alone as a stream and after the first record", () => {
      for (const { first, line } of kindsOfRecords(captured)) {
        for (const given of [line, ...maimed(line)]) {
          expectAccounted(agent, [], given);
          expectAccounted(agent, [first], given);
        }
      }
    });
  });
}

/**
 * The pieces without a whole message of the same id that were not withdrawn. All others begin that message, or its stream broke
 * and began anew.
 */
function unfinishedPieces(events: readonly HarnessEvent[]): string[] {
  const streamed = new Map<string, string>();
  for (const event of events) {
    if (event.type === "warning" && event.code === "text_withdrawn") {
      const speaker = JSON.stringify([event.parentCallId]).slice(0, -1);
      for (const key of streamed.keys()) if (key.startsWith(`${speaker},`)) streamed.delete(key);
    }
    if (event.type !== "text" && (event.type !== "agent" || event.role !== undefined)) continue;
    const key = JSON.stringify([event.parentCallId, event.messageId]);
    if (event.type === "text") {
      expect(event.messageId).toBeDefined();
      streamed.set(key, (streamed.get(key) ?? "") + event.delta);
      continue;
    }
    const pieces = streamed.get(key);
    if (pieces === undefined) continue;
    streamed.delete(key);
    if (!pieces.endsWith(event.message)) expect(event.message.startsWith(pieces.trim())).toBe(true);
  }
  return [...streamed.values()];
}

/** The rules of the vocabulary that hold for every stream. */
export function expectWellFormed(events: readonly HarnessEvent[]): void {
  expectValid(events);
  expectWhole(events);
}

function expectValid(events: readonly HarnessEvent[]): void {
  expect(invalidEvents(events)).toEqual([]);
}

/** The run as a whole: its order, its one beginning and its one end. */
function expectWhole(events: readonly HarnessEvent[]): void {
  expect(brokenRules(events)).toEqual([]);
}

function expectSurvives(agent: AgentDefinition, lines: readonly string[], capture?: Capture): void {
  const translator = createFramedTranslator(agent, { runId: "fuzz", cwd: capture?.cwd ?? "/workspace" });
  const events = translator.start("2026-01-01T00:00:00.000Z");
  for (const line of lines) {
    const emitted = translator.line(line);
    if (emitted.length === 0) expect(translator.lastRule, `lost: ${line.slice(0, 300)}`).toBeTruthy();
    events.push(...emitted);
  }
  events.push(...translator.end({ exitCode: null, signal: "SIGKILL" }));
  expectWellFormed(events);
}

/** The beginning of a run, ended by a kill. Its lines give the same events as in the whole run, so only the end is examined in full. */
function expectEndsAnywhere(agent: AgentDefinition, capture: Capture, length: number): void {
  const { cwd, isResumed } = capture;
  const translator = createFramedTranslator(agent, { runId: "prefix", cwd, isResumed });
  const events = translator.start("2026-01-01T00:00:00.000Z");
  for (const line of capture.stdout.slice(0, length)) events.push(...translator.line(line));
  const end = translator.end({ exitCode: null, signal: "SIGKILL" });
  expectValid(end);
  expectWhole([...events, ...end]);
}

/**
 * A record may give nothing but the announcement of the session. Another record must not be lost behind the announcement: its
 * repetition shows whether it would give anything else.
 */
function expectAccounted(agent: AgentDefinition, before: readonly string[], line: string): void {
  const translator = createFramedTranslator(agent, { runId: "single", cwd: "/workspace" });
  translator.start("2026-01-01T00:00:00.000Z");
  for (const earlier of before) translator.line(earlier);
  const emitted = translator.line(line);
  const lost = `lost: ${line.slice(0, 300)}`;
  if (emitted.length === 0) expect(translator.lastRule, lost).toBeTruthy();
  if (emitted.length === 0 || emitted.some(({ type }) => type !== "session")) return;
  const again = translator.line(line).filter(({ type }) => type !== "session");
  expect(again, lost).toEqual([]);
}

const commonKeys = [
  "message",
  "content",
  "item",
  "id",
  "name",
  "input",
  "part",
  "event",
  "error",
  "usage",
  "tool_use_id",
  "status",
  "result",
  "session_id",
  "patch",
];

export function cutLine(text: string): fc.Arbitrary<string> {
  return fc.nat(text.length).map((length) => text.slice(0, length));
}

/** Replaces one value somewhere in the record by any JSON value, or removes it. */
export function spoiltLine(text: string): fc.Arbitrary<string> {
  return fc
    .tuple(fc.nat(), fc.option(fc.jsonValue({ maxDepth: 2 }), { nil: undefined }))
    .map(([pick, value]) => {
      let record: unknown;
      try {
        record = JSON.parse(text);
      } catch {
        return text;
      }
      const places: { holder: Record<string, unknown>; key: string }[] = [];
      const visit = (node: unknown): void => {
        if (typeof node !== "object" || node === null) return;
        for (const [key, child] of Object.entries(node)) {
          places.push({ holder: node as Record<string, unknown>, key });
          visit(child);
        }
      };
      visit(record);
      const place = places[pick % Math.max(1, places.length)];
      if (place !== undefined) {
        if (value === undefined) delete place.holder[place.key];
        else place.holder[place.key] = value;
      }
      return JSON.stringify(record);
    });
}
