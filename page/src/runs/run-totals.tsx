import type { RunRow } from "../../../src/server/protocol.js";
import { formatDuration, formatNumberOf, formatShortCount } from "../../../src/text/numbers.js";
import { formatCost } from "../ui/cost.js";
import { durationOf } from "./run-line.js";

export interface ShownTotals {
  runs: number;
  /** Runs that have ended, without demos. */
  ended: number;
  succeeded: number;
  costUsd: number | undefined;
  isEstimated: boolean;
  tokens: number | undefined;
  durationMs: number;
}

/** Demo runs are counted as runs, but they cost nothing and say nothing about success. */
export function totalsOf(rows: readonly RunRow[], now: number): ShownTotals {
  const totals: ShownTotals = {
    runs: rows.length,
    ended: 0,
    succeeded: 0,
    costUsd: undefined,
    isEstimated: false,
    tokens: undefined,
    durationMs: 0,
  };
  for (const row of rows) {
    if (row.isDemo) continue;
    const tokens = row.usage?.totalTokens ?? row.tokens;
    if (row.outcome !== "running") totals.ended += 1;
    if (row.outcome === "completed") totals.succeeded += 1;
    if (row.costUsd !== undefined) totals.costUsd = (totals.costUsd ?? 0) + row.costUsd;
    if (row.costUsd !== undefined && row.costSource === "estimated") totals.isEstimated = true;
    if (tokens !== undefined) totals.tokens = (totals.tokens ?? 0) + tokens;
    totals.durationMs += Math.max(0, durationOf(row, now) || 0);
  }
  return totals;
}

/** What the shown runs took together. */
export function Totals({ rows, now, isPart }: { rows: readonly RunRow[]; now: number; isPart: boolean }) {
  const { runs, ended, succeeded, costUsd, isEstimated, tokens, durationMs } = totalsOf(rows, now);
  return (
    <p class="totals" role="status" aria-label="Totals of the runs that are shown">
      <b>{formatNumberOf(runs, "run")}</b>
      {isPart && <span>so far</span>}
      {ended > 0 && <span>{Math.round((100 * succeeded) / ended)} % succeeded</span>}
      {costUsd !== undefined && (
        <span title={isEstimated ? "Partly estimated from prices" : "As the agents report it"}>
          {formatCost(costUsd, isEstimated ? "estimated" : "agent")}
        </span>
      )}
      {tokens !== undefined && <span>{formatShortCount(tokens)} tokens</span>}
      {durationMs > 0 && <span>{formatDuration(durationMs)}</span>}
    </p>
  );
}
