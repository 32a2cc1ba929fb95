import type { LiveRun } from "./live-run.js";
import type { Timer } from "./scenario.js";

/** How fast one agent is on this machine, for time limits that must not end a run before its command has begun. */
export interface Pace {
  /** A run has shown how long it takes until its command begins, or that it takes longer than it was given. */
  note(run: LiveRun["pace"]): void;
  limitMs(timer: Timer): number;
}

/** What an agent needs besides, on a machine that is busier this time. */
const reserveMs = 3000;

export function createPace(): Pace {
  let begunMs = 8000;
  let silenceMs = 3000;

  return {
    note(run) {
      const hasBegun = run.begunMs !== Number.POSITIVE_INFINITY;
      begunMs = hasBegun ? run.begunMs : 2 * begunMs;
      silenceMs = hasBegun ? run.silenceMs : 2 * silenceMs;
    },
    /** Whole seconds. */
    limitMs(timer) {
      const neededMs = timer === "--timeout" ? 1.5 * begunMs : 1.25 * silenceMs;
      return 1000 * Math.ceil((neededMs + reserveMs) / 1000);
    },
  };
}
