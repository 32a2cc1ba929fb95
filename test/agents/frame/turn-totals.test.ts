import { describe, expect, it } from "vitest";
import { createTurnTotals, type TurnFigures } from "../../../src/agents/frame/turn-totals.js";

const completed: TurnFigures = { isSuccess: true, reason: "completed" };
const counted: TurnFigures = { ...completed, usage: { inputTokens: 100, totalTokens: 100, scope: "run" } };

function usageOf(...turns: TurnFigures[]) {
  const totals = createTurnTotals();
  for (const turn of turns) totals.add(turn);
  return totals.usage;
}

describe("the tokens of a session", () => {
  it("are the sum over its turns", () => {
    expect(usageOf(counted, counted)).toEqual({ inputTokens: 200, totalTokens: 200, scope: "run" });
  });

  it("are not known if a turn that was completed reports none: the sum would be too small", () => {
    expect(usageOf(counted, completed)).toBeUndefined();
    expect(usageOf(completed, counted)).toBeUndefined();
  });

  it("are the sum of the others if a turn was interrupted before it had any", () => {
    const interrupted: TurnFigures = { isSuccess: false, reason: "interrupted" };
    expect(usageOf(interrupted, counted)).toEqual({ inputTokens: 100, totalTokens: 100, scope: "run" });
  });

  it("are those that the agent reports for the whole session, whatever single turns lack", () => {
    const whole: TurnFigures = { ...completed, usage: { totalTokens: 900, scope: "session" } };
    expect(usageOf(counted, completed, whole)).toEqual({ totalTokens: 900, scope: "session" });
  });
});
