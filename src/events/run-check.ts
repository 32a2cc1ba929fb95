import * as v from "valibot";

/** What `--check` found out after a run: whether a command of the user succeeded in the run's directory. */
export const RunCheck = v.strictObject({
  command: v.string(),
  isSuccess: v.boolean(),
  /** Null if a signal ended it or it never started. */
  exitCode: v.nullable(v.pipe(v.number(), v.integer())),
  signal: v.exactOptional(v.string()),
  /** It took longer than `--check-timeout`. */
  isTimedOut: v.exactOptional(v.literal(true)),
  /** It was ended because the user cancelled it: nothing is known about the work. */
  isCancelled: v.exactOptional(v.literal(true)),
  durationMs: v.pipe(v.number(), v.minValue(0)),
  /** The end of what it printed. */
  tail: v.string(),
});
export type RunCheck = v.InferOutput<typeof RunCheck>;
