import { monotonicTime } from "./monotonic-time.js";

/** The longest time that all reading together may keep the event loop from handling signals and timers. */
const maxTurnMs = 10;

let startedAt: number | undefined;
/** Continued in the next turn or a later one: first come, first served. */
const waiting: (() => void)[] = [];
let isServedSoon = false;

/**
 * True if reading and delivering output has taken long enough in this turn of the event loop. The caller then continues
 * in a later turn. All runs of this process share one turn.
 */
export function isTurnOver(): boolean {
  if (startedAt !== undefined) return monotonicTime() - startedAt > maxTurnMs;
  startedAt = monotonicTime();
  setImmediate(endTurn);
  return false;
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

function endTurn(): void {
  startedAt = undefined;
}

/** Callbacks that do not fit into this turn come first in the next one, so one flood cannot starve other runs. */
function serveWaiting(): void {
  isServedSoon = false;
  for (let left = waiting.length; left > 0 && !isTurnOver(); left--) waiting.shift()?.();
  if (waiting.length > 0) serveSoon();
}
