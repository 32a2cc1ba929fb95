import { monotonicTime } from "./monotonic-time.js";

/** The longest time that all reading together, or all delivering, may keep the event loop from handling signals and timers. */
const maxTurnMs = 10;

/** Continued in the next turn or a later one: first come, first served. */
const waiting: (() => void)[] = [];
let isServedSoon = false;

/**
 * True if reading output has taken long enough in this turn of the event loop. The caller then continues in a later turn. All runs of
 * this process share one turn.
 */
export const isReadingOver = createTurn();

/**
 * The same for handing over what was read. It has a time of its own: if reading took all of it, each run would hand over one chunk and read
 * one in every turn, and what waits between the two would never become less.
 */
export const isDeliveryOver = createTurn();

function createTurn(): () => boolean {
  let startedAt: number | undefined;
  const end = (): void => {
    startedAt = undefined;
  };
  return () => {
    if (startedAt !== undefined) return monotonicTime() - startedAt > maxTurnMs;
    startedAt = monotonicTime();
    setImmediate(end);
    return false;
  };
}

/** Calls back in a later turn, after earlier callers. */
export function takeTurn(callback: () => void): void {
  waiting.push(callback);
  serveSoon();
}

/** Schedules one `serveWaiting` at a time, however often callbacks ask for another turn. */
function serveSoon(): void {
  if (isServedSoon) return;
  isServedSoon = true;
  setImmediate(serveWaiting);
}

/** Callbacks that do not fit into this turn come first in the next one, so one flood cannot starve other runs. */
function serveWaiting(): void {
  isServedSoon = false;
  for (let left = waiting.length; left > 0 && !isReadingOver(); left--) waiting.shift()?.();
  if (waiting.length > 0) serveSoon();
}
