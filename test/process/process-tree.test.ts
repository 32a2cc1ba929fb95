import fc from "fast-check";
import { expect, it } from "vitest";
import { countAncestors, withDescendants } from "../../src/process/process-tree.js";

/** Any process table, including loops and missing parents. */
const processes = fc.uniqueArray(fc.record({ pid: fc.nat({ max: 30 }), parent: fc.nat({ max: 30 }) }), {
  selector: ({ pid }) => pid,
});

it("returns exactly the chosen processes and their descendants", () => {
  fc.assert(
    fc.property(processes, fc.nat({ max: 30 }), (all, root) => {
      const chosen = new Set(withDescendants(all, ({ pid }) => pid === root));
      const pids = new Set([...chosen].map(({ pid }) => pid));
      for (const one of all) expect(chosen.has(one)).toBe(one.pid === root || pids.has(one.parent));
    }),
  );
});

it("counts the ancestors of each process among the living ones", () => {
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

it("gives each process one more than its parent, in any order of the table", () => {
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

it("does not hang on a cycle, which a table that was read in pieces can contain", () => {
  const alive = [
    { pid: 1, parent: 2 },
    { pid: 2, parent: 1 },
  ];
  expect(countAncestors(alive).size).toBe(2);
});
