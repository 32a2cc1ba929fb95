import type { RunRow } from "../../../src/server/protocol.js";
import type { RunOutcome } from "../../../src/story/run-record.js";

export interface RunFilter {
  text: string;
  agent: string;
  state: StateFilter;
  /** True: runs of batches are shown too. A batch has a page of its own. */
  hasBatches: boolean;
}

export const stateFilters = ["all", "running", "completed", "failed", "stopped"] as const;
export type StateFilter = (typeof stateFilters)[number];

const outcomesOf: Record<StateFilter, readonly RunOutcome[] | undefined> = {
  all: undefined,
  running: ["running"],
  completed: ["completed"],
  failed: ["failed", "timed_out", "stalled"],
  stopped: ["cancelled", "interrupted"],
};

/** Keeps the rows that contain every word. */
export function filterRuns(rows: readonly RunRow[], { text, agent, state, hasBatches }: RunFilter): RunRow[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const outcomes = outcomesOf[state];
  return rows.filter(
    (row) =>
      (hasBatches || row.batch === undefined) &&
      (agent === "" || row.agent === agent) &&
      (outcomes === undefined || outcomes.includes(row.outcome)) &&
      words.every((word) => textOf(row).includes(word)),
  );
}

function textOf(row: RunRow): string {
  const { id, prompt, agent, model = "", cwd, outcome, failure, batch } = row;
  return [id, prompt, agent, model, cwd, outcome, failure?.kind, failure?.message, batch?.id]
    .join("\n")
    .toLowerCase();
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
