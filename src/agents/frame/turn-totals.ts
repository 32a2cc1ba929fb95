import type { EventOf } from "../../events/event.js";
import type { RunState } from "../../events/run-state.js";
import { tokenClassNames } from "../../events/sound-numbers.js";
import type { TokenCounts } from "../../events/usage.js";

/** What one turn adds to its session. */
export interface TurnFigures extends Pick<EventOf<"turn_end">, "isSuccess" | "reason"> {
  text?: string | undefined;
  output?: RunState["output"];
  failure?: EventOf<"turn_end">["failure"] | undefined;
  usage?: RunState["usage"];
  costUsd?: number | undefined;
  costSource?: "estimated" | undefined;
}

/** The last turn of a session, and the sums over all of them. */
export interface TurnTotals {
  add(turn: TurnFigures): void;
  readonly last: TurnFigures | undefined;
  readonly usage: RunState["usage"];
  readonly costUsd: number | undefined;
  /** True if a part of the cost is an estimate. */
  readonly isEstimated: boolean;
}

/**
 * A token class counts if at least one turn reports it. Counts that cover the whole session replace those of earlier turns;
 * later turns are added to them. If a turn that was completed reports no counts, the sum of the others would be too
 * small, so there is none.
 */
export function createTurnTotals(): TurnTotals {
  let counts: Partial<Record<keyof TokenCounts, number>> = {};
  let scope: "run" | "session" = "run";
  let hasCounts = false;
  let isPartial = false;
  const totals: { -readonly [K in keyof TurnTotals]: TurnTotals[K] } = {
    last: undefined,
    usage: undefined,
    costUsd: undefined,
    isEstimated: false,
    add(turn) {
      totals.last = turn;
      const { usage, costUsd } = turn;
      if (costUsd !== undefined) totals.costUsd = (totals.costUsd ?? 0) + costUsd;
      if (turn.costSource !== undefined) totals.isEstimated = true;
      if (usage?.scope === "session") {
        counts = {};
        scope = "session";
        isPartial = false;
      }
      if (usage !== undefined) hasCounts = addCounts(counts, usage) || hasCounts;
      else if (turn.isSuccess) isPartial = true;
      totals.usage = hasCounts && !isPartial ? { ...counts, scope } : undefined;
    },
  };
  return totals;
}

function addCounts(counts: Partial<Record<keyof TokenCounts, number>>, usage: TokenCounts): boolean {
  let hasAdded = false;
  for (const name of tokenClassNames) {
    const count = usage[name];
    if (count === undefined) continue;
    counts[name] = (counts[name] ?? 0) + count;
    hasAdded = true;
  }
  return hasAdded;
}
