import type { StopReason } from "../../../src/events/recording-meta.js";
import type { SessionOutcome } from "../../../src/runs/archive/recording.js";
import { describeStopping, outcomeWords } from "../../../src/story/outcomes.js";

/** How a run ended, as a sign; a run under way turns. */
export function OutcomeSign({ outcome }: { outcome: SessionOutcome }) {
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
  outcome: SessionOutcome;
  stopping?: StopReason | undefined;
}) {
  const words = stopping === undefined ? outcomeWords[outcome] : describeStopping(stopping);
  return <span class={`badge ${outcome}`}>{words}</span>;
}
