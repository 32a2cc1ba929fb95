import { monotonicTime } from "./monotonic-time.js";

/** So long all reading together may keep the event loop from its signals and timers. */
const longestTurnMs = 10;

let startedAt: number | undefined;

/**
 * True when what is read, handled and handed over has taken long enough for one turn of the event loop. Whoever hears
 * that goes on in the next turn, with `setImmediate`. All runs of this process share their turns.
 */
export function isTurnOver(): boolean {
  if (startedAt !== undefined) return monotonicTime() - startedAt > longestTurnMs;
  startedAt = monotonicTime();
  setImmediate(endTurn);
  return false;
}

function endTurn(): void {
  startedAt = undefined;
}
