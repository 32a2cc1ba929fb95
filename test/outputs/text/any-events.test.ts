import fc from "fast-check";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { HarnessEvent } from "../../../src/events/event.js";
import { createLiveWriter } from "../../../src/outputs/text/live-writer.js";
import { createMarkdownRows } from "../../../src/outputs/text/markdown/markdown-rows.js";
import { createPlainWriter } from "../../../src/outputs/text/plain-writer.js";
import { createTextView, type TextView } from "../../../src/outputs/text/text-view.js";
import { widthOf } from "../../../src/outputs/text/width.js";
import { arbitraryOf } from "../arbitrary.js";
import { hostile, unsafe } from "./hostile.js";

/** Fields that agents fill with whatever they like. */
const freeFields = [
  "delta",
  "message",
  "path",
  "command",
  "query",
  "name",
  "skillName",
  "subagentName",
  "model",
  "agent",
  "cwd",
  "text",
  "raw",
  "output",
  "input",
  "prompt",
  "rule",
];

/** Any event; most of the time with something hostile in one of its fields. */
const event = fc
  .tuple(arbitraryOf(HarnessEvent), hostile, fc.nat())
  .map(([given, text, at]): HarnessEvent => {
    const fields = freeFields.filter((field) => field in given);
    const field = fields[at % Math.max(1, fields.length)];
    return field === undefined ? given : v.parse(HarnessEvent, { ...given, [field]: text });
  });
const lines = fc.array(fc.array(event, { maxLength: 5 }), { maxLength: 10 });
const width = fc.integer({ min: 20, max: 140 });
const options = fc.record({
  showsThinking: fc.boolean(),
  agentName: hostile,
  home: fc.constantFrom("/repo", "/", ""),
  createRows: fc.constantFrom(undefined, (columns: number) => createMarkdownRows(columns, true)),
});

const ownStyles = /\u001b\[(?:0|1|2|3|9|31|32|33|36)m/g;

function expectSafe(text: string): void {
  expect(text).not.toMatch(/\t/);
  expect(text).not.toMatch(unsafe);
}

function viewOf(columns: number, given: Partial<Parameters<typeof createTextView>[0]>): TextView {
  return createTextView({ columns, recording: () => "/repo/\u001b[2Jr.ndjson", ...given });
}

describe("any events, as text", () => {
  it("have no escapes without colours, no control characters, and fit the terminal", () => {
    fc.assert(
      fc.property(lines, width, options, (events, columns, given) => {
        const view = viewOf(columns, given);
        const write = createPlainWriter(view, false);
        for (const line of events) {
          const text = write(line);
          expectSafe(text);
          for (const row of text.split("\n")) expect(widthOf(row)).toBeLessThanOrEqual(columns);
          for (const { text: open } of view.open ?? []) {
            expectSafe(open);
            expect(open).not.toContain("\n");
            expect(widthOf(open)).toBeLessThanOrEqual(columns);
          }
        }
      }),
      { numRuns: 100 },
    );
  });

  it("have no escapes with colours but those of the colours", () => {
    fc.assert(
      fc.property(lines, width, options, (events, columns, given) => {
        const write = createPlainWriter(viewOf(columns, given), true);
        for (const line of events) expectSafe(write(line).replaceAll(ownStyles, ""));
      }),
      { numRuns: 60 },
    );
  });

  it("fit the terminal after it was resized, and so does the progress row", () => {
    fc.assert(
      fc.property(lines, width, width, options, (events, before, columns, given) => {
        const view = viewOf(before, given);
        const writer = createLiveWriter({ view, columns: before, hasColors: false, now: () => 0 });
        writer.push(events);
        const texts = [writer.resize(columns), writer.push(events), writer.tick()];
        for (const text of texts) {
          const rows = text.replaceAll(/\r|\u001b\[(?:\d+A|J|K)/g, "");
          expectSafe(rows);
          for (const row of rows.split("\n")) expect(widthOf(row)).toBeLessThanOrEqual(columns);
        }
      }),
      { numRuns: 60 },
    );
  });

  it("are not broken at all where there is no terminal", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z ]{200,400}$/), (message) => {
        const write = createPlainWriter(viewOf(Number.POSITIVE_INFINITY, {}), false);
        const said: HarnessEvent = {
          type: "agent",
          timestamp: "2026-01-01T00:00:00.000Z",
          runId: "r",
          seq: 0,
          message,
        };
        expect(write([said]).split("\n").at(-2) ?? "").toBe(message.trimEnd());
      }),
    );
  });
});
