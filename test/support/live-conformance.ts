import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AgentDefinition } from "../../src/agents/definition.js";
import { createSteps } from "../../src/agents/steps.js";
import type { EventOf, HarnessEvent } from "../../src/events/event.js";
import type { RawRecord } from "../../src/events/raw-record.js";
import type { Step } from "../../src/events/step.js";
import { expectWellFormed } from "./conformance.js";
import { readTranscript, recordsOfTranscript, type Transcript, transcriptNames } from "./transcripts.js";

/** The steps of a transcript, read with the agent's live protocol. */
export function translateTranscript(agent: AgentDefinition, transcript: Transcript): Step[] {
  return stepsOf(agent, recordsOfTranscript(transcript));
}

function stepsOf(agent: AgentDefinition, records: readonly RawRecord[]): Step[] {
  const steps = createSteps(agent, { live: agent.live?.id ?? "process", cwd: "/workspace", runId: "live" });
  return [...steps.pushAll(records), ...steps.interrupted()];
}

/**
 * What every live protocol must keep, with every transcript of the folders, whole, cut off anywhere and damaged: a valid stream
 * that loses nothing, each turn and request ended once, every event of a turn marked.
 */
export function describeLiveConformance(agent: AgentDefinition, folders: readonly string[]): void {
  const all = folders.flatMap((folder) => transcriptNames(folder).map((scenario) => ({ folder, scenario })));

  describe(`${agent.id}: every transcript`, () => {
    it.each(all)(
      "$folder/$scenario is translated without loss, and its turns and requests end",
      ({ folder, scenario }) => {
        const steps = translateTranscript(agent, readTranscript(folder, scenario));
        for (const { record, events, rule } of steps) {
          if (record === undefined || record.stream === "exit") continue;
          expect(events.length > 0 || rule !== undefined, `lost: ${JSON.stringify(record)}`).toBe(true);
        }
        const events = steps.flatMap((step) => step.events);
        expectSoundSession(events);
        expect(
          events.filter((event) => event.type === "warning" && event.code === "translator_error"),
        ).toEqual([]);
      },
    );

    it.each(all)("$folder/$scenario survives being cut off anywhere", ({ folder, scenario }) => {
      const records = recordsOfTranscript(readTranscript(folder, scenario));
      const stride = Math.max(1, Math.floor(records.length / 25));
      for (let length = 0; length < records.length; length += stride)
        expectSoundSession(stepsOf(agent, records.slice(0, length)).flatMap((step) => step.events));
    });
  });

  it(`${agent.id}: transcripts whose lines were dropped, doubled, swapped or spoilt give a sound session`, () => {
    const lists = all.map(({ folder, scenario }) => recordsOfTranscript(readTranscript(folder, scenario)));
    const records = lists.flat().filter((record) => record.stream !== "exit");
    const spoilt = fc.constantFrom(...records).chain((record) => {
      if (!("line" in record) || record.line === undefined) return fc.constant(record);
      const { line } = record;
      return fc.oneof(
        fc.constant(record),
        fc.nat(line.length).map((length) => ({ ...record, line: line.slice(0, length) })),
        fc
          .constantFrom("null", "[]", "0", '""', "{}")
          .map((value) => ({ ...record, line: line.replace(/\{[^{}]*\}/, value) })),
      );
    });
    fc.assert(
      fc.property(fc.array(spoilt, { maxLength: 40 }), (list) =>
        expectSoundSession(stepsOf(agent, list).flatMap((step) => step.events)),
      ),
      { numRuns: 200 },
    );
  });
}

/** The rules of a live session. `isSessionFirst`: false for an agent that names its session at the end of its first turn. */
export function expectSoundSession(
  events: readonly HarnessEvent[],
  { isSessionFirst = true }: { isSessionFirst?: boolean } = {},
): void {
  expectWellFormed(events);
  expectTurnsEnd(events);
  const asked = events.flatMap((event) => (event.type === "request" ? [event.requestId] : []));
  const ended = events.flatMap((event) => (event.type === "request_end" ? [event.requestId] : []));
  expect([...ended].sort()).toEqual([...asked].sort());
  if (!isSessionFirst) return;
  // A turn waits for the session. Only a turn in which the agent never names one, since it failed before, does not.
  const session = events.findIndex(({ type }) => type === "session");
  const earlier = events.slice(0, Math.max(0, session));
  const count = (type: HarnessEvent["type"]) => earlier.filter((event) => event.type === type).length;
  expect(count("turn"), "a turn begins before the session").toBe(count("turn_end"));
}

function expectTurnsEnd(events: readonly HarnessEvent[]): void {
  let open: EventOf<"turn"> | undefined;
  const calls = new Set<string>();
  for (const event of events) {
    if (event.type === "turn") {
      expect(open, "a turn begins while another is open").toBeUndefined();
      open = event;
    }
    expect(event.turnId, `the turn of ${event.type}`).toBe(open?.turnId);
    if (event.type === "tool_start" && event.parentCallId === undefined) calls.add(event.callId);
    if (event.type === "tool_end") calls.delete(event.callId);
    if (event.type !== "turn_end") continue;
    expect([...calls], "calls open after a turn").toEqual([]);
    open = undefined;
  }
  expect(open).toBeUndefined();
}
