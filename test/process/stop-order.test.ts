import fc from "fast-check";
import { expect, it } from "vitest";
import { countAncestors } from "../../src/process/stop-order.js";

it("counts who is above each process among those that are alive", () => {
  const alive = [
    { pid: 30, parent: 20 },
    { pid: 10, parent: 1 },
    { pid: 20, parent: 10 },
    { pid: 50, parent: 40 },
    { pid: -10, parent: 10 },
    { pid: 60 },
  ];
  expect(Object.fromEntries(countAncestors(alive))).toEqual({ 10: 0, 20: 1, 30: 2, 50: 0, "-10": 1, 60: 0 });
});

it("gives each one more than its parent, in whatever order they come", () => {
  const forest = fc
    .array(fc.nat(), { maxLength: 60 })
    .map((choices) => choices.map((choice, index) => ({ pid: index + 1, parent: choice % (index + 1) })));
  fc.assert(
    fc.property(
      forest.chain((all) => fc.shuffledSubarray(all)),
      (alive) => {
        const counts = countAncestors(alive);
        expect(counts.size).toBe(alive.length);
        for (const { pid, parent } of alive) expect(counts.get(pid)).toBe((counts.get(parent) ?? -1) + 1);
      },
    ),
  );
});

it("does not hang on a circle, which a table that was read in pieces can hold", () => {
  const alive = [
    { pid: 1, parent: 2 },
    { pid: 2, parent: 1 },
  ];
  expect(countAncestors(alive).size).toBe(2);
});
