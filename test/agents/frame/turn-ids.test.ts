import { expect, it } from "vitest";
import type { Mapping } from "../../../src/agents/contract.js";
import { createFramedTranslator, type TranslatedAgent } from "../../../src/agents/frame/frame.js";
import type { RawRecord } from "../../../src/events/raw-record.js";

const mapping: Mapping = {
  record: (record, out) => out.live.beginTurn(record["own"] === true ? { origin: "agent" } : { prompt: "x" }),
  sent: (line, out) => out.live.beginTurn({ prompt: line }),
};
const live = { id: "test", createMapping: () => mapping };
const agent: TranslatedAgent = { id: "test", name: "Test", createMapping: () => mapping, live };

it("a turn that no prompt was sent for just now has an id that no prompt of the session gets", () => {
  const timestamp = "2026-01-01T00:00:00.000Z";
  const records: RawRecord[] = [
    { timestamp, stream: "sent", line: "one", turnId: "turn_1" },
    { timestamp, stream: "stdout", line: "{}" },
    { timestamp, stream: "stdout", line: '{"own":true}' },
    { timestamp, stream: "sent", line: "two", turnId: "turn_2" },
  ];
  const translator = createFramedTranslator(agent, { live: "test" });
  const events = records.flatMap((record) => translator.record(record));
  events.push(...translator.end({ exitCode: 0 }));
  expect(events.flatMap((event) => (event.type === "turn" ? [event.turnId] : []))).toEqual([
    "turn_1",
    "queued_turn_1",
    "agent_turn_1",
    "turn_2",
  ]);
});
