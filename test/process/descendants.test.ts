import fc from "fast-check";
import { expect, it } from "vitest";
import { withDescendants } from "../../src/process/descendants.js";

/** Any table of processes, loops and missing parents included. */
const processes = fc.uniqueArray(fc.record({ pid: fc.nat({ max: 30 }), parent: fc.nat({ max: 30 }) }), {
  selector: ({ pid }) => pid,
});

it("chooses exactly those who are chosen or have a parent that is", () => {
  fc.assert(
    fc.property(processes, fc.nat({ max: 30 }), (all, root) => {
      const chosen = new Set(withDescendants(all, ({ pid }) => pid === root));
      const pids = new Set([...chosen].map(({ pid }) => pid));
      for (const one of all) expect(chosen.has(one)).toBe(one.pid === root || pids.has(one.parent));
    }),
  );
});
