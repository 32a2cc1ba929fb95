import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { AgentDefinition } from "../../src/agents/definition.js";
import { processPerTurn, toSentLine } from "../../src/agents/process-per-turn.js";
import { agents } from "../../src/agents/registry.js";
import { createSteps } from "../../src/agents/steps.js";
import type { EventOf, EventType, HarnessEvent } from "../../src/events/event.js";
import type { RawRecord } from "../../src/events/raw-record.js";
import { tokenClassNames } from "../../src/events/sound-numbers.js";
import {
  type Capture,
  captureNames,
  capturesDirectory,
  readCapture,
  recordsOf,
  timeOf,
} from "../support/captures.js";
import { expectSoundSession } from "../support/live-conformance.js";

/*
 * A turn with a process of its own must be what the run is: every capture is played twice, as the first turn of a session and as
 * the second one, and compared with the translation of the capture alone.
 */

interface PlayedTurn {
  capture: Capture;
  /** What a run of this process alone would give. */
  alone: HarnessEvent[];
  events: HarnessEvent[];
  /** How many records the session has before those of the process. */
  offset: number;
}

const promptOf = (capture: Capture): string => `play ${capture.scenario}`;

function playSession(agent: AgentDefinition, captures: readonly Capture[]) {
  const [{ cwd, isResumed } = { cwd: "/workspace", isResumed: false }] = captures;
  const session = createSteps(agent, { live: processPerTurn, cwd, isResumed, startedAt: timeOf(0) });
  const turns: PlayedTurn[] = [];
  const all: HarnessEvent[] = [];
  let count = 0;
  const push = (record: RawRecord): HarnessEvent[] => {
    count += 1;
    const { events } = session.push(record);
    all.push(...events);
    return events;
  };

  all.push(...session.start().flatMap((step) => step.events));
  for (const capture of captures) {
    const prompt = promptOf(capture);
    const events = push({
      timestamp: timeOf(count),
      stream: "sent",
      line: toSentLine({
        harness: "prompt",
        prompt,
        resume: isResumed || turns.length > 0 ? "s" : undefined,
      }),
    });
    const offset = count;
    const records = recordsOf(capture).map((record, index) => ({
      ...record,
      timestamp: timeOf(offset + index),
    }));
    const alone = createSteps(agent, {
      cwd,
      prompt,
      isResumed: isResumed || turns.length > 0,
      startedAt: timeOf(offset),
    });
    for (const record of records) events.push(...push(asProcess(record)));
    turns.push({ capture, alone: alone.pushAll(records).flatMap((step) => step.events), events, offset });
  }
  all.push(...session.end({ exitCode: 0, stopped: true }, timeOf(count)).events);
  return { turns, all };
}

function asProcess(record: RawRecord): RawRecord {
  if (record.stream !== "exit") return record;
  const { timestamp, exitCode, signal } = record;
  return { timestamp, stream: "process", exitCode, signal };
}

/** They are about the whole session, or about the turn. A to-do list is the session's: later turns go on with it. */
const ownToEach: ReadonlySet<EventType> = new Set<EventType>([
  "started",
  "session",
  "plan",
  "turn",
  "turn_end",
  "result",
  "exited",
]);

/** What must not differ: all but the numbers and names that belong to a session or run. */
function comparable(events: readonly HarnessEvent[], offset: number): unknown[] {
  return events.flatMap((event) => {
    if (ownToEach.has(event.type) || isTotal(event)) return [];
    const { seq: _, runId: __, sessionId: ___, turnId: ____, line, ...rest } = event;
    const own = "callId" in rest ? { callId: renumbered(rest.callId, offset) } : {};
    const message = "messageId" in rest ? { messageId: rest.messageId?.replace(/^2-(?=message-)/, "") } : {};
    return [{ ...rest, ...own, ...message, ...(line !== undefined && { line: line - offset }) }];
  });
}

/** The id of a call that has none is made from its line. */
function renumbered(callId: string | undefined, offset: number): string | undefined {
  const line = /^line-(\d+)$/.exec(callId ?? "")?.[1];
  return line === undefined ? callId : `line-${Number(line) - offset}`;
}

function isTotal(event: HarnessEvent): event is EventOf<"usage"> {
  return event.type === "usage" && event.scope !== "step";
}

function endOf(events: readonly HarnessEvent[]): unknown {
  const end = events.find((event) => event.type === "turn_end" || event.type === "result");
  if (end === undefined || (end.type !== "turn_end" && end.type !== "result")) return undefined;
  const { isSuccess, text, failure, costUsd, costSource } = end;
  return { isSuccess, text, failure, costUsd, costSource };
}

function totalsOf(events: readonly HarnessEvent[]): unknown[] {
  return events.filter(isTotal).map((usage) => ({
    ...Object.fromEntries(tokenClassNames.map((name) => [name, usage[name]])),
    costUsd: usage.costUsd,
    covers: usage.scope === "session" ? "session" : "this",
  }));
}

const early: ReadonlySet<EventType> = new Set<EventType>(["started", "warning", "unknown"]);

/** Bob 2 names its session in its last record. */
function isSessionFirst(events: readonly HarnessEvent[]): boolean {
  const session = events.findIndex(({ type }) => type === "session");
  return events.slice(0, Math.max(0, session)).every(({ type }) => early.has(type));
}

/** Each capture is first once, and second once. */
function pairsOf(agent: AgentDefinition): { first: string; second: string }[] {
  const names = captureNames(agent.id);
  return names.map((first, index) => ({ first, second: names[(index + 1) % names.length] ?? first }));
}

describe.each(
  agents
    .filter(({ id, capabilities }) => capabilities.resume && existsSync(`${capturesDirectory}${id}`))
    .map((agent) => ({ agent, id: agent.id })),
)("$id: two captures as two turns", ({ agent }) => {
  it.each(pairsOf(agent))("$first, then $second", ({ first, second }) => {
    const captures = [readCapture(agent.id, first), readCapture(agent.id, second)];
    const { turns, all } = playSession(agent, captures);
    expectSoundSession(all, { isSessionFirst: turns.every(({ alone }) => isSessionFirst(alone)) });
    for (const { alone, events, offset, capture } of turns) {
      expect(comparable(events, offset), capture.scenario).toEqual(comparable(alone, 0));
      expect(endOf(events), capture.scenario).toEqual(endOf(alone));
      expect(totalsOf(events), capture.scenario).toEqual(totalsOf(alone));
    }
    expectSums(turns, all);
    expectOwnMessages(turns);
  });
});

/**
 * The session's tokens are the sum of its turns', unless the agent reports those of the whole session itself. If a completed turn
 * has none, neither has the session: the sum would be too small.
 */
function expectSums(turns: readonly PlayedTurn[], all: readonly HarnessEvent[]): void {
  const usage = turns.flatMap(({ events }) => events.filter(isTotal));
  if (usage.some(({ scope }) => scope === "session")) return;
  const isPartial = turns.some(({ events }) => isCompleted(events) && !events.some(isTotal));
  const total = all.findLast((event) => event.type === "usage" && event.scope === "run");
  for (const name of tokenClassNames) {
    const counts = usage.flatMap((event) => event[name] ?? []);
    const sum = isPartial || counts.length === 0 ? undefined : counts.reduce((all, count) => all + count, 0);
    expect(total?.type === "usage" ? total[name] : undefined, name).toBe(sum);
  }
}

function isCompleted(events: readonly HarnessEvent[]): boolean {
  return events.some((event) => event.type === "turn_end" && event.isSuccess);
}

/** Mappings number messages that have no id. A message must not go on in a later turn. */
function expectOwnMessages(turns: readonly PlayedTurn[]): void {
  const ids = turns.map(({ events }) => new Set(events.flatMap((event) => numberedIdOf(event) ?? [])));
  const shared = [...(ids[0] ?? [])].filter((id) => ids[1]?.has(id));
  expect(shared).toEqual([]);
}

function numberedIdOf(event: HarnessEvent): string | undefined {
  const id = event.type === "text" || event.type === "agent" ? event.messageId : undefined;
  return id !== undefined && /message-\d+$/.test(id) ? id : undefined;
}
