import { monotonicTime } from "./monotonic-time.js";

/** So long all reading together may keep the event loop from its signals and timers. */
const longestTurnMs = 10;

let startedAt: number | undefined;
/** Who goes on in the next turn, or in a later one: first come, first served. */
const waiting: (() => void)[] = [];
let isServedSoon = false;

/**
 * True when what is read, handled and handed over has taken long enough for one turn of the event loop. Whoever hears
 * that goes on in the next turn. All runs of this process share their turns.
 */
export function isTurnOver(): boolean {
  if (startedAt !== undefined) return monotonicTime() - startedAt > longestTurnMs;
  startedAt = monotonicTime();
  setImmediate(endTurn);
  return false;
}

/** Calls back in a later turn, after those who asked before. */
export function takeTurn(goOn: () => void): void {
  waiting.push(goOn);
  serveSoon();
}

/** Once: whoever is served may ask again before the turn ends. */
function serveSoon(): void {
  if (isServedSoon) return;
  isServedSoon = true;
  setImmediate(serveWaiting);
}

function endTurn(): void {
  startedAt = undefined;
}

/** Who is not served now is served first in the next turn: one flood does not keep others from being read. */
function serveWaiting(): void {
  isServedSoon = false;
  for (let left = waiting.length; left > 0 && !isTurnOver(); left--) waiting.shift()?.();
  if (waiting.length > 0) serveSoon();
}
