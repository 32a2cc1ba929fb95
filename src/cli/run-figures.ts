import { type CountedRun, type RunTotals, successRate, totalRuns } from "../story/run-totals.js";
import { formatDuration, formatNumberOf, formatShortCount, formatUsd } from "../text/numbers.js";

/** Figures of runs for people. */

/** `$0.12`, `~$0.12` for an estimate, `-` if it is not known. */
export function describeRunCost({ costUsd, costSource }: CountedRun["meta"]): string {
  if (typeof costUsd !== "number") return "-";
  return `${costSource === "estimated" ? "~" : ""}${formatUsd(costUsd)}`;
}

/** A sum of costs. `~`: a part of it is estimated. `-`: none of the runs reported a cost. */
export function describeSum({ costUsd, estimatedUsd, withoutCost, runs }: RunTotals): string {
  if (withoutCost === runs) return "-";
  return `${estimatedUsd > 0 ? "~" : ""}${formatCents(costUsd)}`;
}

/** Sums of many runs are rounded to cents, unless there is less than a cent. */
export function formatCents(amount: number): string {
  if (amount > 0 && amount < 0.01) return formatUsd(amount);
  return `$${amount.toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
}

/** `86%`, `-` if no run has ended. Never 100% if one of them did not succeed. */
export function describeRate(totals: RunTotals): string {
  const rate = successRate(totals);
  if (rate === undefined) return "-";
  const percent = Math.round(rate * 100);
  return `${rate < 1 ? Math.min(99, percent) : percent}%`;
}

/** `12 runs`, `10 of 11 succeeded`, `$1.20`, `1.2M tokens`, `12m 03s`: of all these runs together. */
export function describeTotals(runs: Iterable<CountedRun>): string[] {
  const totals = totalRuns(runs);
  const ended = totals.succeeded + totals.unsuccessful;
  return [
    formatNumberOf(totals.runs, "run"),
    ...(ended === 0 ? [] : [`${totals.succeeded} of ${ended} succeeded`]),
    ...(totals.withoutCost === totals.runs ? [] : [describeSum(totals)]),
    ...(totals.tokens === 0 ? [] : [`${formatShortCount(totals.tokens)} tokens`]),
    ...(totals.durationMs === 0 ? [] : [formatDuration(totals.durationMs)]),
  ];
}
