import { expect, it } from "vitest";
import { createTranslator } from "../../../src/agents/create-translator.js";

it("times within a run never go back, whatever is recorded", () => {
  const translator = createTranslator("generic");
  const seconds = (second: number): string => `2026-01-01T00:00:0${second}.000Z`;
  const events = [
    ...translator.start(seconds(2)),
    ...translator.line("a", seconds(5)),
    ...translator.line("b", seconds(1)),
    ...translator.line("c", "yesterday"),
    ...translator.line("d", seconds(6)),
    ...translator.end({ exitCode: 0 }, seconds(3)),
  ];
  expect(events.map(({ timestamp }) => timestamp)).toEqual([2, 5, 5, 5, 6, 6, 6].map(seconds));
  expect(events.find(({ type }) => type === "result")).toMatchObject({ durationMs: 4000 });
});
