import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HarnessEvent } from "../../src/events/event.js";
import { formats } from "../../src/outputs/formats.js";
import { outputOf } from "../../src/outputs/registry.js";
import { toNdjson } from "../../src/text/to-json.js";
import { arbitraryOf } from "./arbitrary.js";

/** Text that JSON or a terminal treats in a special way, among ordinary text. */
const hostile = fc.constantFrom(
  '"',
  "\\",
  "\n",
  "\u0000",
  "\u007f",
  "\u009b",
  "\u202e",
  "\ud800",
  "🙂",
  "é",
  "\u2028",
);
const text = fc.oneof(
  fc.string(),
  fc.array(fc.oneof(hostile, fc.string({ maxLength: 5 }))).map((all) => all.join("")),
);
const times = fc.constantFrom("2026-11-15T18:14:40.241Z", "2026-11-15T18:14:40.242Z", "not a time");

/** The events that outputs write in their own way, with hostile text in every field that may have it. */
const frequent = fc
  .record({
    timestamp: times,
    runId: text,
    sessionId: fc.option(text, { nil: undefined }),
    line: fc.option(fc.nat(), { nil: undefined }),
    turnId: fc.option(text, { nil: undefined }),
    parentCallId: fc.option(text, { nil: undefined }),
    kind: fc.constantFrom("text", "thinking", "agent", "tool_start", "tool_end", "command", "read", "search"),
    one: text,
    two: text,
    value: fc.oneof(text, fc.jsonValue()),
    isSuccess: fc.option(fc.boolean(), { nil: undefined }),
  })
  .map(({ kind, one, two, value, isSuccess, ...common }) => {
    const own: Record<string, object> = {
      text: { delta: one, messageId: two },
      thinking: { delta: one },
      agent: { message: one, messageId: two },
      tool_start: { callId: one, name: two, input: value },
      tool_end: { callId: one, name: two, isSuccess, output: value },
      command: { command: one, isSuccess, callId: two },
      read: { path: one, isSuccess, callId: two },
      search: { query: one, path: two, isSuccess },
    };
    return JSON.parse(JSON.stringify({ type: kind, seq: 0, ...common, ...own[kind] })) as HarnessEvent;
  });

const lines = fc.array(fc.array(fc.oneof(frequent, arbitraryOf(HarnessEvent)), { maxLength: 6 }), {
  maxLength: 12,
});

describe("the text of an output whose items are JSON", () => {
  it.each(["ndjson", "events", "full", "run-events"] as const)(
    "is the JSON of its items: %s",
    async (name) => {
      const open = outputOf(name).open;
      await fc.assert(
        fc.asyncProperty(lines, async (events) => {
          const output = await open({});
          const view = formats[name].create({});
          for (const line of events) {
            const pieces = output.push([{ events: line }]);
            expect(pieces.join("")).toBe(toNdjson(view.push(line)));
          }
        }),
      );
    },
  );

  /** Many items at once are written straight into bytes. */
  it.each(["ndjson", "events", "full", "run-events"] as const)(
    "is the same for many lines at once: %s",
    async (name) => {
      const open = outputOf(name).open;
      await fc.assert(
        fc.asyncProperty(fc.array(lines, { minLength: 3, maxLength: 20 }), async (many) => {
          const events = many.flat();
          const output = await open({});
          const view = formats[name].create({});
          const pieces = output.push(events.map((line) => ({ events: line })));
          expect(pieces.join("")).toBe(events.map((line) => toNdjson(view.push(line))).join(""));
        }),
      );
    },
  );
});
