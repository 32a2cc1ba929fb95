import type { RunRow } from "../../../src/server/protocol.js";
import type { RunOutcome } from "../../../src/story/run-record.js";
import { durationOf } from "./run-line.js";
import { isFoundBy } from "./search-runs.js";

export interface RunFilter {
  text: string;
  agent: string;
  model: string;
  directory: string;
  period: Period;
  /** Days, `2026-11-15`, for the period `range`. Empty: no limit. */
  from: string;
  to: string;
  state: StateFilter;
  sort: Sort;
  /** True: runs of batches are shown too. A batch has a page of its own. */
  hasBatches: boolean;
}

export const stateFilters = ["all", "running", "completed", "failed", "stopped"] as const;
export type StateFilter = (typeof stateFilters)[number];

export const periods = ["any", "today", "week", "month", "range"] as const;
export type Period = (typeof periods)[number];

export const sorts = ["newest", "oldest", "longest", "costliest", "tokens"] as const;
export type Sort = (typeof sorts)[number];

export const noFilter: RunFilter = {
  text: "",
  agent: "",
  model: "",
  directory: "",
  period: "any",
  from: "",
  to: "",
  state: "all",
  sort: "newest",
  hasBatches: false,
};

const outcomesOf: Record<StateFilter, readonly RunOutcome[] | undefined> = {
  all: undefined,
  running: ["running"],
  completed: ["completed"],
  failed: ["failed", "timed_out", "stalled"],
  stopped: ["cancelled", "interrupted"],
};

/** Keeps the rows that contain every word and pass every filter, in the order that was asked for. */
export function filterRuns(rows: readonly RunRow[], filter: RunFilter, now: number): RunRow[] {
  const { text, agent, model, directory, state, hasBatches } = filter;
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const outcomes = outcomesOf[state];
  const { after, before } = limitsOf(filter, now);
  const kept = rows.filter(
    (row) =>
      (hasBatches || row.batch === undefined) &&
      (agent === "" || row.agent === agent) &&
      (model === "" || row.model === model) &&
      (directory === "" || row.cwd === directory) &&
      (outcomes === undefined || outcomes.includes(row.outcome)) &&
      isBetween(row.startedAt, after, before) &&
      isFoundBy(row, words),
  );
  return sortRuns(kept, filter.sort, now);
}

const measures: Partial<Record<Sort, (row: RunRow, now: number) => number | undefined>> = {
  longest: durationOf,
  costliest: ({ costUsd }) => costUsd,
  tokens: ({ usage, tokens }) => usage?.totalTokens ?? tokens,
};

/** The rows come newest first. A run whose value is not known comes last. */
function sortRuns(rows: RunRow[], sort: Sort, now: number): RunRow[] {
  if (sort === "oldest") return rows.reverse();
  const measure = measures[sort];
  if (measure === undefined) return rows;
  const valued = rows.map((row) => ({ row, value: measure(row, now) ?? Number.NEGATIVE_INFINITY }));
  return valued.sort((a, b) => (a.value === b.value ? 0 : b.value - a.value)).map(({ row }) => row);
}

const dayMs = 24 * 3600 * 1000;
const daysOf: Partial<Record<Period, number>> = { week: 7, month: 30 };

/** In the reader's own time zone. */
function limitsOf({ period, from, to }: RunFilter, now: number): { after: number; before: number } {
  const always = { after: Number.NEGATIVE_INFINITY, before: Number.POSITIVE_INFINITY };
  if (period === "any") return always;
  if (period === "today") return { ...always, after: new Date(now).setHours(0, 0, 0, 0) };
  if (period !== "range") return { ...always, after: now - (daysOf[period] ?? 0) * dayMs };
  const first = Date.parse(`${from}T00:00:00`);
  const last = Date.parse(`${to}T23:59:59.999`);
  return {
    after: Number.isNaN(first) ? always.after : first,
    before: Number.isNaN(last) ? always.before : last,
  };
}

function isBetween(startedAt: string, after: number, before: number): boolean {
  if (after === Number.NEGATIVE_INFINITY && before === Number.POSITIVE_INFINITY) return true;
  const at = Date.parse(startedAt);
  return at >= after && at <= before;
}

/**
 * The number of runs in each state, with or without those of batches. `known`: the server's counts of runs that belong to no
 * batch, as long as not all rows have come.
 */
export function countStates(
  rows: readonly RunRow[],
  { hasBatches = false, known }: { hasBatches?: boolean; known?: KnownCounts | undefined } = {},
): Record<StateFilter, number> {
  const counted = hasBatches ? rows : rows.filter(({ batch }) => batch === undefined);
  const isKnown = known !== undefined && !hasBatches;
  const outcomes = isKnown ? known.outcomes : countOutcomes(counted);
  const count = (state: StateFilter): number =>
    (outcomesOf[state] ?? []).reduce((sum, outcome) => sum + (outcomes[outcome] ?? 0), 0);
  return {
    all: isKnown ? known.total - known.ofBatches : (known?.total ?? counted.length),
    running: count("running"),
    completed: count("completed"),
    failed: count("failed"),
    stopped: count("stopped"),
  };
}

interface KnownCounts {
  total: number;
  ofBatches: number;
  outcomes: Partial<Record<RunOutcome, number>>;
}

function countOutcomes(rows: readonly RunRow[]): Partial<Record<RunOutcome, number>> {
  const counts: Partial<Record<RunOutcome, number>> = {};
  for (const { outcome } of rows) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}
