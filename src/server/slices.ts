import { setImmediate } from "node:timers/promises";

/** So long sidecars are read before others get a turn. */
const turnMs = 15;

/** Lets others have a turn when this one has lasted long enough. */
export function createSlices(): { next(): Promise<void> | undefined } {
  let start = performance.now();
  return {
    next() {
      if (performance.now() - start < turnMs) return undefined;
      return setImmediate().then(() => {
        start = performance.now();
      });
    },
  };
}
