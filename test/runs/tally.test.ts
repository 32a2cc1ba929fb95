import { describe, expect, it } from "vitest";
import { createTally } from "../../src/runs/tally.js";
import { completed, eventsOf, type Given, started, succeeded } from "../outputs/support.js";

function resultOf(...given: Given[]) {
  const tally = createTally();
  tally.add([{ events: eventsOf(started, ...given, succeeded, completed) }]);
  return tally.result("r1");
}

describe("the usage of a run", () => {
  const turn: Given = { type: "usage", turnId: "t1", scope: "turn", totalTokens: 30 };

  it("is that of the run, not of a turn, whichever comes last", () => {
    const run: Given = { type: "usage", scope: "run", totalTokens: 100 };
    expect(resultOf(turn, run).usage).toEqual({ scope: "run", totalTokens: 100 });
    expect(resultOf(run, turn).usage).toEqual({ scope: "run", totalTokens: 100 });
  });

  it("has token counts and nothing of the event", () => {
    const whole: Given = {
      type: "usage",
      scope: "session",
      totalTokens: 100,
      costUsd: 1,
      turnId: "t1",
      line: 3,
    };
    expect(resultOf(whole).usage).toEqual({ scope: "session", totalTokens: 100 });
  });

  it("is not known if only steps and turns were reported", () => {
    expect(resultOf({ type: "usage", scope: "step", totalTokens: 1 }, turn)).not.toHaveProperty("usage");
  });
});
