import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createBudget } from "../../src/batch/budget.js";
import type { Cell } from "../../src/batch/model/cell.js";
import { cellsOf } from "./support/cells.js";

const tasks = [
  { id: "a", prompt: "a" },
  { id: "b", prompt: "b" },
];
const cells = cellsOf({ tasks, arms: [{ agent: "x" }, { agent: "y" }], repeats: 20 });
const of = (task: string, arm: string): Cell[] =>
  cells.filter((cell) => cell.task.id === task && cell.arm.id === arm);
const [ax, ax2, ax3] = of("a", "x") as [Cell, Cell, Cell];
const [ay] = of("a", "y") as [Cell];

describe("a budget", () => {
  it("that is not there lets everything start", () => {
    const budget = createBudget(undefined);
    for (const cell of cells) {
      expect(budget.ask(cell)).toBe("start");
      budget.begin(cell);
    }
  });

  it("lets one cell of each arm start before anything is known", () => {
    const budget = createBudget(10);
    expect(budget.ask(ax)).toBe("start");
    budget.begin(ax);
    expect(budget.ask(ax2)).toBe("wait");
    expect(budget.ask(ay)).toBe("start");
  });

  it("counts what was spent, what runs and what is asked for", () => {
    const budget = createBudget(10);
    budget.begin(ax);
    budget.spend(ax, 4);
    budget.end(ax, true);
    expect(budget.ask(ax2)).toBe("start");
    budget.begin(ax2);
    // 4 spent, 4 set aside: another 4 would be too much, unless the one that runs is cheaper.
    expect(budget.ask(ax3)).toBe("wait");
    budget.spend(ax2, 1);
    budget.end(ax2, true);
    expect(budget.ask(ax3)).toBe("start");
    budget.begin(ax3);
    budget.spend(ax3, 4);
    budget.end(ax3, true);
    expect(budget.ask(ax)).toBe("over");
  });

  it("estimates by task and arm, then by arm, then by task", () => {
    const budget = createBudget(100);
    const [bx] = of("b", "x") as [Cell];
    const [by] = of("b", "y") as [Cell];
    budget.spend(ax, 60);
    expect(budget.ask(ax2)).toBe("over");
    expect(budget.ask(bx)).toBe("over");
    expect(budget.ask(ay)).toBe("over");
    // Nothing is known about this task with this arm, nor about either of them.
    expect(budget.ask(by)).toBe("start");
  });

  it("takes the arm's own limit for an estimate if nothing else is known", () => {
    const [cell, other] = cellsOf({ arms: [{ agent: "x", maxBudgetUsd: 6 }], repeats: 2 }) as [Cell, Cell];
    const budget = createBudget(10);
    budget.begin(cell);
    expect(budget.ask(other)).toBe("wait");
    expect(createBudget(5).ask(cell)).toBe("over");
  });

  it("does not limit an arm that reports no cost, and says so", () => {
    const budget = createBudget(1);
    budget.begin(ax);
    budget.end(ax, true);
    expect(budget.isFree("x")).toBe(true);
    budget.begin(ax2);
    expect(budget.ask(ax3)).toBe("start");
  });

  it("does not take a run that failed before it began for a free one", () => {
    const budget = createBudget(1);
    budget.begin(ax);
    budget.spend(ax, 0);
    budget.end(ax, false);
    expect(budget.isFree("x")).toBe(false);
    budget.begin(ax2);
    expect(budget.ask(ax3)).toBe("wait");
  });

  it("is never exceeded if no run costs more than its estimate, and nobody waits for nothing", () => {
    const costs = fc.constantFrom(0.5, 1, 2);
    fc.assert(
      fc.property(costs, fc.integer({ min: 1, max: 60 }), fc.array(fc.nat(30)), (cost, limit, picks) => {
        const budget = createBudget(limit);
        const under: Cell[] = [];
        let spent = 0;
        for (const pick of picks) {
          const cell = cells[pick];
          if (cell === undefined || under.includes(cell)) continue;
          const answer = budget.ask(cell);
          if (answer === "wait") expect(under.length).toBeGreaterThan(0);
          if (answer === "start") {
            budget.begin(cell);
            under.push(cell);
          }
          if (under.length > 3 || answer === "wait") {
            const ended = under.shift();
            if (ended === undefined) continue;
            budget.spend(ended, cost);
            budget.end(ended, true);
            spent += cost;
          }
        }
        // The first cell of each arm has no estimate.
        expect(spent).toBeLessThanOrEqual(limit + 2 * cost);
      }),
    );
  });
});
