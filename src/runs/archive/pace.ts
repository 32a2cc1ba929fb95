import { setTimeout } from "node:timers/promises";
import type { Step } from "../../events/step.js";

/** The clock that pacing uses. */
export interface Clock {
  /** Milliseconds since some fixed moment. */
  now(): number;
  /** Resolves after this time, or as soon as the signal aborts. */
  wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void>;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  wait: (milliseconds, signal) =>
    setTimeout(milliseconds, undefined, signal && { signal }).catch(() => undefined),
};

/** The longest time that one timer can wait. */
const longestWait = 2 ** 31 - 1;

/**
 * Yields steps when they are due: with the pauses of the recording, divided by `speed`. Steps that are due at the same time
 * come together. Where times go back, because the clock was set during the run, there is no pause.
 */
export async function* paceSteps(
  batches: AsyncIterable<readonly Step[]>,
  speed: number,
  signal?: AbortSignal,
  clock: Clock = systemClock,
): AsyncGenerator<Step[]> {
  let before: number | undefined;
  let due = clock.now();
  let ready: Step[] = [];
  for await (const steps of batches) {
    for (const step of steps) {
      const time = timeOf(step);
      if (time !== undefined) due += Math.max(0, time - (before ?? time)) / speed;
      before = time ?? before;
      if (due > clock.now()) {
        if (ready.length > 0) yield ready;
        ready = [];
      }
      for (let left = due - clock.now(); left > 0 && !signal?.aborted; left = due - clock.now())
        await clock.wait(Math.min(left, longestWait), signal);
      if (signal?.aborted) return;
      ready.push(step);
    }
    if (ready.length > 0) yield ready;
    ready = [];
  }
}

function timeOf(step: Step): number | undefined {
  const time = Date.parse(step.record?.timestamp ?? step.events[0]?.timestamp ?? "");
  return Number.isNaN(time) ? undefined : time;
}
