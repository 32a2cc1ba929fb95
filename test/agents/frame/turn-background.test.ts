import { describe, expect, it } from "vitest";
import type { Mapping } from "../../../src/agents/contract.js";
import { createFramedTranslator, type TranslatedAgent } from "../../../src/agents/frame/frame.js";
import { asText } from "../../../src/text/fields.js";

/** Its records name what to report. */
const mapping: Mapping = {
  record(record, out) {
    const callId = asText(record["call"]) ?? "";
    const parentCallId = asText(record["parent"]);
    const call = out.call(callId);
    if (record["is"] === "begin") out.live.beginTurn({ prompt: "go" });
    else if (record["is"] === "end") out.live.endTurn();
    else if (record["is"] === "start") out.open({ callId, name: "tool", parentCallId, isSilent: true });
    else if (record["is"] === "ask")
      out.live.request({ requestId: callId, kind: "permission", name: "tool", choices: [], parentCallId });
    else if (call !== undefined) out.finish(call, { isSuccess: true });
    out.consume("seen");
  },
};
const live = { id: "test", createMapping: () => mapping };
const agent: TranslatedAgent = { id: "test", name: "Test", createMapping: () => mapping, live };

function endings(records: object[]): unknown[] {
  const translator = createFramedTranslator(agent, { live: "test" });
  const events = records.flatMap((record) => translator.line(JSON.stringify(record)));
  events.push(...translator.end({ exitCode: 0 }));
  return events.flatMap((event) => {
    if (event.type === "tool_end") return [[event.callId, event.isSuccess, event.turnId]];
    return event.type === "request_end" ? [[event.requestId, event.outcome, event.turnId]] : [];
  });
}

describe("the end of a turn", () => {
  it("closes the calls and requests of the main agent and of a subagent that it waits for", () => {
    const records = [
      { is: "begin" },
      { is: "start", call: "agent" },
      { is: "start", call: "read", parent: "agent" },
      { is: "ask", call: "may-read", parent: "agent" },
      { is: "end" },
    ];
    expect(endings(records)).toEqual([
      ["may-read", "withdrawn", "queued_turn_1"],
      ["agent", undefined, "queued_turn_1"],
      ["read", undefined, "queued_turn_1"],
    ]);
  });

  it("leaves those of a subagent open that goes on in the background, and of one that this one has started", () => {
    const records = [
      { is: "begin" },
      { is: "start", call: "agent" },
      { is: "finish", call: "agent" },
      { is: "start", call: "inner", parent: "agent" },
      { is: "start", call: "read", parent: "inner" },
      { is: "ask", call: "may-read", parent: "inner" },
      { is: "end" },
      { is: "finish", call: "read", parent: "inner" },
    ];
    expect(endings(records)).toEqual([
      ["agent", true, "queued_turn_1"],
      ["read", true, undefined],
      ["may-read", "withdrawn", undefined],
      ["inner", undefined, undefined],
    ]);
  });

  it("closes calls that name each other as the one that started them", () => {
    const records = [
      { is: "begin" },
      { is: "start", call: "a", parent: "b" },
      { is: "start", call: "b", parent: "a" },
      { is: "end" },
    ];
    expect(endings(records)).toEqual([
      ["a", undefined, "queued_turn_1"],
      ["b", undefined, "queued_turn_1"],
    ]);
  });
});
