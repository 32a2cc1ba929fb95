import type { LiveRun } from "./live-run.js";
import type { Timer } from "./scenario.js";

/** The speed of one agent on this machine, for time limits that must not end a run before its command has started. */
export interface Pace {
  /** Records how long a run took until its command started, or that its limit was too short. */
  note(run: LiveRun["pace"]): void;
  limitMs(timer: Timer): number;
}

/** A margin for a machine that is busier this time. */
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
    /** In whole seconds. */
    limitMs(timer) {
      const neededMs = timer === "--timeout" ? 1.5 * begunMs : 1.25 * silenceMs;
      return 1000 * Math.ceil((neededMs + reserveMs) / 1000);
    },
  };
}
