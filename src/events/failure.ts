import * as v from "valibot";

/** Why a run failed, by meaning. One list for every agent; the docs explain each word. */
export const failureKinds = [
  "not_installed",
  "config",
  "auth",
  "rate_limit",
  "quota",
  "provider",
  "network",
  "model_not_found",
  "context_overflow",
  "output_limit",
  "refusal",
  "schema",
  "max_turns",
  "budget",
  "permission",
  "cancelled",
  "timed_out",
  "stalled",
  "interrupted",
  "killed",
  "crash",
  "unknown",
] as const;

export const FailureKind = v.picklist(failureKinds);
/** Why a run failed, by meaning. docs/outcomes.md explains each word. */
export type FailureKind = v.InferOutput<typeof FailureKind>;

export const Failure = v.strictObject({
  kind: FailureKind,
  /** In the agent's own words. */
  message: v.string(),
  /** The next step for a person, in one sentence. */
  hint: v.exactOptional(v.string()),
  /** When a limit ends, if the agent says so. */
  retryAt: v.exactOptional(v.pipe(v.string(), v.isoTimestamp())),
});
/** Why a run failed, and what to do next. */
export type Failure = v.InferOutput<typeof Failure>;

/**
 * How a run ended, in `exited.reason` and in lists of recordings. `interrupted` never comes from a live run: the
 * harness that recorded it was killed, so nobody saw its end.
 */
export const exitReasons = [
  "completed",
  "failed",
  "cancelled",
  "timed_out",
  "stalled",
  "interrupted",
] as const;
export const ExitReason = v.picklist(exitReasons);
/** How a run ended. Every reason but `completed` is a failure. */
export type ExitReason = v.InferOutput<typeof ExitReason>;
