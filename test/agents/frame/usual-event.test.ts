import fc from "fast-check";
import { expect, it } from "vitest";
import type { Draft } from "../../../src/agents/contract.js";
import { createEventWriter } from "../../../src/agents/frame/event-writer.js";

/** As often there as not, so that every combination comes up. */
const optional = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: undefined, freq: 2 });

/** The drafts as the sink makes them, with any of their fields. */
const drafts: fc.Arbitrary<Draft> = fc
  .record({
    parentCallId: optional(fc.string()),
    callId: fc.string(),
    name: fc.string(),
    input: optional(fc.jsonValue()),
    output: optional(fc.jsonValue()),
    isSuccess: optional(fc.boolean()),
    operations: optional(fc.constant([{ type: "read", path: "/a" }])),
    line: optional(fc.nat()),
    isStart: fc.boolean(),
  })
  .map(({ isStart, parentCallId, callId, name, input, output, isSuccess, operations, line }) =>
    isStart
      ? ({ type: "tool_start", parentCallId, callId, name, input, operations } as Draft)
      : ({ type: "tool_end", parentCallId, callId, name, isSuccess, output, line } as Draft),
  );

it("writes the frequent events with the same fields in the same order as all others", () => {
  const given = fc.record({ draft: drafts, sessionId: optional(fc.string()), turnId: optional(fc.string()) });
  fc.assert(
    fc.property(given, ({ draft, sessionId, turnId }) => {
      const writer = createEventWriter({ runId: "r", ...(sessionId !== undefined && { sessionId }) });
      writer.enterLine();
      writer.setTurn(turnId);
      writer.write(draft);
      const { type, line = 1, ...own } = draft;
      const common = { type, timestamp: writer.timestamp, runId: "r", seq: 0, sessionId, line, turnId };
      const [event] = writer.take();
      expect(JSON.stringify(event)).toBe(JSON.stringify({ ...common, ...own }));
      expect(Object.values(event ?? {})).not.toContain(undefined);
    }),
    { numRuns: 2000 },
  );
});
