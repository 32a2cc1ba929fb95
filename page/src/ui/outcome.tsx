import type { StopReason } from "../../../src/events/recording-meta.js";
import { describeStopping, outcomeWords } from "../../../src/story/outcomes.js";
import type { RunOutcome } from "../../../src/story/run-record.js";

/** The outcome of a run as a sign. A spinner marks a run under way. */
export function OutcomeSign({ outcome }: { outcome: RunOutcome }) {
  return (
    <span
      class={`sign ${outcome}`}
      role="img"
      aria-label={outcomeWords[outcome]}
      title={outcomeWords[outcome]}
    />
  );
}

export function OutcomeBadge({
  outcome,
  stopping,
}: {
  outcome: RunOutcome;
  stopping?: StopReason | undefined;
}) {
  const words = stopping === undefined ? outcomeWords[outcome] : describeStopping(stopping);
  return <span class={`badge ${outcome}`}>{words}</span>;
}
