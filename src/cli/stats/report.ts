import { type Grouping, type RunGroup, type RunTotals, successRate } from "../../story/run-totals.js";

/** What `harness stats` found. */
export interface Stats {
  /** The first and the last day of the period. */
  since: string;
  until: string;
  totals: RunTotals;
  groups: Readonly<Record<Grouping, readonly RunGroup[]>>;
  /** Runs that match and are not counted. */
  left: { demos: number; imported: number };
  /** How many of the runs were imported. */
  imported: number;
}

/** As `--json` prints it: all tables, or the one that was asked for. */
export function toStatsReport(
  { since, until, totals, groups, left, imported }: Stats,
  by: Grouping | undefined,
): object {
  const shown = (by === undefined ? Object.keys(groups) : [by]) as Grouping[];
  return {
    since,
    until,
    totals: withRate(totals),
    ...(imported > 0 && { imported }),
    notCounted: left,
    ...Object.fromEntries(
      shown.map((name) => [
        `by${name[0]?.toUpperCase()}${name.slice(1)}`,
        groups[name].map((group) => ({ [name]: group.key, ...withRate(withoutKey(group)) })),
      ]),
    ),
  };
}

function withoutKey({ key, ...totals }: RunGroup): RunTotals {
  return totals;
}

/** Costs and tokens that nobody reported are absent, not 0. */
function withRate(totals: RunTotals): object {
  const {
    costUsd,
    estimatedUsd,
    tokens,
    inputTokens,
    cacheReadTokens,
    cacheWriteTokens,
    outputTokens,
    ...counts
  } = totals;
  const rate = successRate(totals);
  return {
    ...counts,
    ...(rate !== undefined && { successRate: Math.round(rate * 10_000) / 10_000 }),
    ...(totals.withoutCost < totals.runs && { costUsd, estimatedUsd }),
    ...(totals.withoutTokens < totals.runs && {
      tokens,
      inputTokens,
      cacheReadTokens,
      cacheWriteTokens,
      outputTokens,
    }),
  };
}
