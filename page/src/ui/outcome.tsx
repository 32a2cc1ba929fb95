import { outcomeWords as words } from "../../../src/export/facts.js";
import type { SessionOutcome } from "../../../src/sessions/session.js";

export const outcomeWords: Record<SessionOutcome, string> = { ...words, running: "Running" };

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

export function OutcomeBadge({ outcome }: { outcome: SessionOutcome }) {
  return <span class={`badge ${outcome}`}>{outcomeWords[outcome]}</span>;
}
