import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, expect, it, vi } from "vitest";
import { takeTurn } from "../../src/process/turns.js";

afterEach(() => vi.restoreAllMocks());

it("schedules one turn at a time, however often callbacks ask again", async () => {
  const asked = vi.spyOn(globalThis, "setImmediate");
  let served = 0;
  const rounds = 100;
  const done = new Promise<void>((resolve) => {
    const again = (): void => {
      served += 1;
      if (served === rounds) resolve();
      else takeTurn(again);
    };
    takeTurn(again);
  });
  await done;
  await nextTurn();
  // One for serving, and one for the end of each turn.
  expect(asked.mock.calls.length).toBeLessThan(3 * rounds);
});
