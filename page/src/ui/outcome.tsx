import type { StopReason } from "../../../src/events/stop-reason.js";
import { describeStopping } from "../../../src/story/describe-stopping.js";
import { outcomeWords as words } from "../../../src/story/facts.js";
import type { RunOutcome } from "../../../src/story/run-record.js";

export const outcomeLabels: Record<RunOutcome, string> = { ...words, running: "Running" };

/** The outcome of a run as a sign. A spinner marks a run under way. */
export function OutcomeSign({ outcome }: { outcome: RunOutcome }) {
  return (
    <span
      class={`sign ${outcome}`}
      role="img"
      aria-label={outcomeLabels[outcome]}
      title={outcomeLabels[outcome]}
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
  const words = stopping === undefined ? outcomeLabels[outcome] : describeStopping(stopping);
  return <span class={`badge ${outcome}`}>{words}</span>;
}
