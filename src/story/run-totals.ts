import { durationBetween } from "./recorded-summary.js";
import type { RunMeta, RunOutcome } from "./run-record.js";

/** A recorded run, as far as sums need it. */
export interface CountedRun {
  outcome: RunOutcome;
  meta: Pick<
    RunMeta,
    "agent" | "cwd" | "model" | "startedAt" | "endedAt" | "usage" | "costUsd" | "costSource" | "batch"
  >;
}

/** What some runs took together. */
export interface RunTotals {
  runs: number;
  /** They completed. */
  succeeded: number;
  /** They ended in any other way: failed, cancelled, timed out, stalled, interrupted. */
  unsuccessful: number;
  /** They go on. */
  running: number;
  /** Runs that belong to a batch. */
  ofBatches: number;
  costUsd: number;
  /** The part of it that was estimated from prices. */
  estimatedUsd: number;
  /** Runs of which no cost is known. */
  withoutCost: number;
  tokens: number;
  inputTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  outputTokens: number;
  /** Runs of which no tokens are known, or only those of a session that began earlier. */
  withoutTokens: number;
  durationMs: number;
}

/** Runs that have something in common. */
export interface RunGroup extends RunTotals {
  key: string;
}

/** By what runs can be put together. */
export const groupings = {
  day: ({ meta }: CountedRun) => localDay(new Date(meta.startedAt)),
  agent: ({ meta }: CountedRun) => meta.agent,
  model: ({ meta }: CountedRun) =>
    typeof meta.model === "string" && meta.model !== "" ? meta.model : "not known",
  directory: ({ meta }: CountedRun) => meta.cwd,
} as const satisfies Readonly<Record<string, (run: CountedRun) => string>>;
export type Grouping = keyof typeof groupings;

export function totalRuns(runs: Iterable<CountedRun>): RunTotals {
  const totals = noRuns();
  for (const run of runs) addRun(totals, run);
  return totals;
}

/** Days in their order. Other groups begin with the one that cost most, then the one with most runs. */
export function groupRuns(runs: Iterable<CountedRun>, by: Grouping): RunGroup[] {
  const groups = new Map<string, RunGroup>();
  for (const run of runs) {
    const key = groupings[by](run);
    const group = groups.get(key) ?? { key, ...noRuns() };
    addRun(group, run);
    groups.set(key, group);
  }
  const order =
    by === "day"
      ? byKey
      : (a: RunGroup, b: RunGroup) => b.costUsd - a.costUsd || b.runs - a.runs || byKey(a, b);
  return [...groups.values()].sort(order);
}

/** The share of the runs that have ended which completed: 0 to 1. Undefined if none has ended. */
export function successRate({
  succeeded,
  unsuccessful,
}: Pick<RunTotals, "succeeded" | "unsuccessful">): number | undefined {
  const ended = succeeded + unsuccessful;
  return ended === 0 ? undefined : succeeded / ended;
}

/** `2026-11-15`, where the reader is. */
export function localDay(moment: Date): string {
  const month = String(moment.getMonth() + 1).padStart(2, "0");
  return `${String(moment.getFullYear()).padStart(4, "0")}-${month}-${String(moment.getDate()).padStart(2, "0")}`;
}

/** Every day from one to another, both included. Summer time does not matter: days are counted, not hours. */
export function daysBetween(first: string, last: string): string[] {
  const days: string[] = [];
  const [year = 0, month = 1, day = 1] = first.split("-").map(Number);
  for (let at = 0; ; at += 1) {
    const next = localDay(new Date(year, month - 1, day + at));
    if (next > last) return days;
    days.push(next);
  }
}

export function noRuns(): RunTotals {
  return {
    runs: 0,
    succeeded: 0,
    unsuccessful: 0,
    running: 0,
    ofBatches: 0,
    costUsd: 0,
    estimatedUsd: 0,
    withoutCost: 0,
    tokens: 0,
    inputTokens: 0,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    outputTokens: 0,
    withoutTokens: 0,
    durationMs: 0,
  };
}

function addRun(totals: RunTotals, { outcome, meta }: CountedRun): void {
  totals.runs += 1;
  if (outcome === "running") totals.running += 1;
  else if (outcome === "completed") totals.succeeded += 1;
  else totals.unsuccessful += 1;
  if (meta.batch !== undefined) totals.ofBatches += 1;
  addCost(totals, meta);
  addTokens(totals, meta);
  totals.durationMs += durationBetween(meta.startedAt, meta.endedAt) ?? 0;
}

function addCost(totals: RunTotals, { costUsd, costSource }: CountedRun["meta"]): void {
  // A sidecar can be damaged or written by hand.
  if (!isAmount(costUsd)) {
    totals.withoutCost += 1;
    return;
  }
  totals.costUsd = exactUsd(totals.costUsd + costUsd);
  if (costSource === "estimated") totals.estimatedUsd = exactUsd(totals.estimatedUsd + costUsd);
}

/** The tokens of a whole session include those of the runs before this one, which are counted themselves. */
function addTokens(totals: RunTotals, { usage }: CountedRun["meta"]): void {
  if (usage === undefined || usage.scope === "session" || !isAmount(usage.totalTokens)) {
    totals.withoutTokens += 1;
    return;
  }
  totals.tokens += usage.totalTokens;
  for (const name of ["inputTokens", "cacheReadTokens", "cacheWriteTokens", "outputTokens"] as const) {
    const count = usage[name];
    if (isAmount(count)) totals[name] += count;
  }
}

function isAmount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

/** To a billionth of a dollar: sums of fractions would otherwise end in noise (0.30000000000000004). */
function exactUsd(amount: number): number {
  return Math.round(amount * 1e9) / 1e9;
}

function byKey(a: RunGroup, b: RunGroup): number {
  return a.key < b.key ? -1 : Number(a.key > b.key);
}
