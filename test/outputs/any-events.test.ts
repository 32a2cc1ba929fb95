import fc from "fast-check";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { type EventType, HarnessEvent } from "../../src/events/event.js";
import { formatEvents } from "../../src/outputs/format-events.js";
import { formatNames, formats } from "../../src/outputs/formats.js";
import { streamSchemas } from "../../src/outputs/schemas.js";
import { arbitraryOf } from "./arbitrary.js";
import { completed, eventsOf, type Given, started, succeeded } from "./support.js";

/** The events of a run, line by line: any events at all, in any order. */
const lines = fc.array(fc.array(arbitraryOf(HarnessEvent), { maxLength: 6 }), { maxLength: 12 });
const options = fc.record({ narrates: fc.boolean() });

describe("any sequence of events", () => {
  it("is made of events that the vocabulary allows", () => {
    const event = arbitraryOf(HarnessEvent);
    fc.assert(
      fc.property(event, (value) => {
        expect(v.safeParse(HarnessEvent, value).issues).toBeUndefined();
      }),
    );
  });

  it.each(formatNames)("gives valid items and is left as it was: %s", (name) => {
    fc.assert(
      fc.property(lines, options, (events, given) => {
        const before = JSON.stringify(events);
        const view = formats[name].create(given);
        for (const line of events) {
          for (const item of view.push(line)) {
            expect(v.safeParse(streamSchemas[name], item).issues).toBeUndefined();
            expect(JSON.parse(JSON.stringify(item))).toStrictEqual(item);
          }
        }
        expect(JSON.stringify(events)).toBe(before);
      }),
    );
  });

  it("has as many items in `events` as it has events of the eleven types", () => {
    fc.assert(
      fc.property(lines, (events) => {
        const told = events.flat().filter((event) => isReported(event));
        const items = formatEvents("events", events.flat());
        expect(items.map((item) => item.type)).toEqual(told.map((event) => event.type));
      }),
    );
  });

  it("has one SessionStart, first, and one Result, last, in `ndjson`", () => {
    fc.assert(
      fc.property(lines, (events) => {
        const view = formats.ndjson.create();
        const types = events.flatMap((line) => view.push(line)).map((item) => item.type);
        expect(types.filter((type) => type === "SessionStart")).toHaveLength(types.length === 0 ? 0 : 1);
        if (types.length > 0) expect(types[0]).toBe("SessionStart");
        const hasResult = events.flat().some((event) => event.type === "result");
        expect(types.filter((type) => type === "Result")).toHaveLength(hasResult ? 1 : 0);
        if (hasResult) expect(types.at(-1)).toBe("Result");
      }),
    );
  });

  it("ends `run-events` once, with at most one error, right before the end", () => {
    fc.assert(
      fc.property(lines, options, (events, given) => {
        const view = formats["run-events"].create(given);
        const kinds = events.flatMap((line) => view.push(line)).map((item) => item.kind);
        const hasExited = events.flat().some((event) => event.type === "exited");
        expect(kinds.filter((kind) => kind === "exited")).toHaveLength(hasExited ? 1 : 0);
        if (hasExited) expect(kinds.at(-1)).toBe("exited");
        const error = kinds.indexOf("error");
        if (error !== -1) expect(error).toBe(kinds.length - 2);
      }),
    );
  });

  it("has activities of one line, at most 240 characters, and no half characters", () => {
    fc.assert(
      fc.property(lines, options, (events, given) => {
        const view = formats["run-events"].create(given);
        for (const item of events.flatMap((line) => view.push(line))) {
          if (item.kind !== "activity") continue;
          expect([...item.message].length).toBeLessThanOrEqual(240);
          expect(item.message).not.toMatch(/[\r\n\u2028\u2029\u001b]/);
          expect(() => encodeURIComponent(item.message)).not.toThrow();
        }
      }),
    );
  });

  it("keeps the order of kinds within a line of `run-events`", () => {
    fc.assert(
      fc.property(lines, (events) => {
        const view = formats["run-events"].create();
        for (const line of events) {
          for (const turn of turnsOf(view.push(line).map((item) => item.kind))) {
            const places = turn.map((kind) => order.indexOf(kind));
            expect(places).not.toContain(-1);
            expect(places).toEqual(places.toSorted((a, b) => a - b));
          }
        }
      }),
    );
  });
});

describe("any conversation", () => {
  /** Messages, each with how many pieces it was streamed in (0: not at all). */
  const messages = fc.array(fc.tuple(fc.string({ minLength: 1, unit: "grapheme" }), fc.nat(4)), {
    maxLength: 8,
  });
  const say = ([message, pieces]: [string, number]): Given[] => [
    ...toDeltas(message, pieces),
    { type: "agent", message },
  ];

  it("is told once in `run-events`, whether it is streamed or not", () => {
    fc.assert(
      fc.property(messages, (said) => {
        const items = formatEvents(
          "run-events",
          eventsOf(started, ...said.flatMap(say), succeeded, completed),
        );
        expect(textOf(items)).toBe(said.map(([message]) => message).join(""));
      }),
    );
  });

  it("has the last message as its answer when the agent narrates", () => {
    fc.assert(
      fc.property(messages, (said) => {
        const talk = said.map(([message]): Given => ({ type: "agent", message }));
        const items = formatEvents("run-events", eventsOf(started, ...talk, succeeded, completed), {
          narrates: true,
        });
        expect(textOf(items)).toBe(said.at(-1)?.[0] ?? "");
      }),
    );
  });
});

/** The kinds in groups, so that no turn shares its group with another one. */
function turnsOf(kinds: readonly string[]): string[][] {
  const groups: string[][] = [[]];
  for (const kind of kinds) {
    if (kind === "turnStarted") groups.push([]);
    groups.at(-1)?.push(kind);
    if (kind === "turnEnded") groups.push([]);
  }
  return groups;
}

const order = [
  "turnStarted",
  "started",
  "session",
  "text",
  "thinking",
  "toolStart",
  "toolEnd",
  "suggestedEdits",
  "plan",
  "askQuestion",
  "questionEnded",
  "usage",
  "activity",
  "turnEnded",
  "error",
  "exited",
];

const toldTypes: readonly EventType[] = [
  "agent",
  "command",
  "read",
  "write",
  "search",
  "list",
  "skill",
  "orchestration",
  "error",
  "warning",
  "unknown",
];

function isReported(event: HarnessEvent): boolean {
  return toldTypes.includes(event.type) && !(event.type === "agent" && event.role !== undefined);
}

function toDeltas(message: string, pieces: number): Given[] {
  const size = Math.ceil(message.length / Math.max(1, pieces));
  const deltas: Given[] = [];
  for (let at = 0; pieces > 0 && at < message.length; at += size)
    deltas.push({ type: "text", delta: message.slice(at, at + size) });
  return deltas;
}

function textOf(items: ReturnType<typeof formatEvents<"run-events">>): string {
  return items.map((item) => (item.kind === "text" ? item.delta : "")).join("");
}
