import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, expect, it, vi } from "vitest";
import { monotonicTime } from "../../src/process/monotonic-time.js";
import { isDeliveryOver, isReadingOver, takeTurn } from "../../src/process/turns.js";

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

it("leaves delivering its own time when reading has used up the turn", async () => {
  await nextTurn();
  expect(isReadingOver()).toBe(false);
  for (const end = monotonicTime() + 15; monotonicTime() < end; );
  expect(isReadingOver()).toBe(true);
  expect(isDeliveryOver()).toBe(false);
  await nextTurn();
  expect(isReadingOver()).toBe(false);
});
