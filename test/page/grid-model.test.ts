import { describe, expect, it } from "vitest";
import {
  createCellTable,
  type Direction,
  type GridPlace,
  lineOf,
  moveInGrid,
  toGridLines,
} from "../../page/src/batch/grid-model.js";

const small = { tasks: 2, arms: 3, repeats: 2 };
const deep = { tasks: 2, arms: 2, repeats: 23 };

function walk(from: GridPlace, keys: readonly Direction[], size = small): GridPlace {
  return keys.reduce((place, key) => moveInGrid(place, key, size), from);
}

describe("the lines of a grid", () => {
  it("hold every repetition of every task once", () => {
    for (const size of [
      small,
      deep,
      { tasks: 3, arms: 900, repeats: 4 },
      { tasks: 1, arms: 1, repeats: 10_000 },
    ]) {
      const seen = new Set<string>();
      for (const [index, { task, first, count }] of toGridLines(size).entries())
        for (let repetition = first; repetition < first + count; repetition += 1) {
          seen.add(`${task} ${repetition}`);
          expect(lineOf({ task, arm: 0, repetition }, size)).toBe(index);
        }
      expect(seen.size).toBe(size.tasks * size.repeats);
    }
  });

  it("are short enough to be drawn, however many repetitions there are", () => {
    for (const size of [deep, { tasks: 1, arms: 1, repeats: 10_000 }, { tasks: 1, arms: 40, repeats: 50 }])
      for (const { count } of toGridLines(size)) expect(count * size.arms).toBeLessThanOrEqual(300);
  });
});

describe("the arrow keys", () => {
  const start = { task: 0, arm: 0, repetition: 1 };

  it("go through the squares of a line, arm by arm, and stop at its ends", () => {
    expect(walk(start, ["ArrowRight"])).toEqual({ task: 0, arm: 0, repetition: 2 });
    expect(walk(start, ["ArrowRight", "ArrowRight"])).toEqual({ task: 0, arm: 1, repetition: 1 });
    expect(walk(start, ["ArrowLeft"])).toEqual(start);
    expect(walk(start, ["End"])).toEqual({ task: 0, arm: 2, repetition: 2 });
    expect(walk(start, ["End", "ArrowRight"])).toEqual({ task: 0, arm: 2, repetition: 2 });
    expect(walk(start, ["End", "Home"])).toEqual(start);
  });

  it("go up and down through the tasks, and through the lines of one task", () => {
    expect(walk(start, ["ArrowDown"])).toEqual({ task: 1, arm: 0, repetition: 1 });
    expect(walk(start, ["ArrowUp"])).toEqual(start);
    expect(walk(start, ["ArrowDown"], deep)).toEqual({ task: 0, arm: 0, repetition: 11 });
    // The last line of a task may be shorter than the one above it.
    const ninth = { task: 0, arm: 1, repetition: 19 };
    expect(walk(ninth, ["ArrowDown"], deep)).toEqual({ task: 0, arm: 1, repetition: 23 });
    expect(walk(ninth, ["ArrowDown", "ArrowDown"], deep)).toEqual({ task: 1, arm: 1, repetition: 3 });
  });
});

it("a cell that is sent again replaces the one at its place", () => {
  const table = createCellTable(small);
  const cell = { id: "c1", task: 1, arm: 2, repetition: 2, sign: "waiting" as const };
  table.put([cell]);
  table.put([{ ...cell, sign: "passed" }]);
  expect(table.at({ task: 1, arm: 2, repetition: 2 })?.sign).toBe("passed");
  expect(table.get("c1")?.sign).toBe("passed");
  expect([...table.all()]).toHaveLength(1);
});
