import type { RunCheck } from "../events/run-check.js";
import type { Step } from "../events/step.js";

/**
 * Whoever takes a run somewhere else while it goes on. The run never waits for it: what cannot be delivered is kept within a limit and
 * then given up, and one sentence says so. Never throws.
 */
export interface Follower {
  /** The run has begun. Called before the first steps, if at all: what is not known is left out. */
  begin?(run: FollowedRun): void;
  /** The next steps of the run. Returns at once. */
  push(steps: readonly Step[]): void;
  /** What the command of `--check` found out after the run, if there is one. Called after the last steps. */
  check?(check: RunCheck): void;
  /** The run is over. Resolves when everything is delivered or given up, after a few seconds at most. */
  end(): Promise<void>;
  /** Gives up what is not delivered yet, so that `end` resolves at once. */
  abandon?(): void;
}

/** What a follower may know about a run besides its steps. */
export interface FollowedRun {
  /** What the agent was asked, masked if the run is to be. */
  readonly prompt?: string | undefined;
}
