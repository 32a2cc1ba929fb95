import type { TokenCounts } from "../../../src/events/usage.js";
import type { RunRow } from "../../../src/server/protocol.js";
import { hasFailed, outcomeWords } from "../../../src/story/outcomes.js";
import type { RunSummary } from "../../../src/story/run-summary.js";
import type { Spent } from "../../../src/story/spending.js";
import { formatCount, formatDuration } from "../../../src/text/numbers.js";
import type { ChangedSoFar } from "../model/run-changes.js";
import { durationOf } from "../runs/run-line.js";
import { formatCost } from "../ui/cost.js";

export interface Measured {
  row: RunRow | undefined;
  summary: RunSummary;
  spent: Spent;
  changed: ChangedSoFar;
  now: number;
}

export interface Compared {
  label: string;
  /** One for each run, in their order. */
  values: ComparedValue[];
}

export interface ComparedValue {
  words: string;
  /** How much more or less it is than that of the first run. */
  difference: string;
}

interface Measure {
  label: string;
  value(run: Measured): number | undefined;
  show(value: number, run: Measured): string;
}

const tokens = (name: keyof TokenCounts) => (run: Measured) => (run.row?.usage ?? run.summary.usage)?.[name];

/** Not known if an edit does not say its lines. */
const lines =
  (name: "insertions" | "deletions") =>
  ({ changed }: Measured) =>
    changed.files.some((file) => "text" in file && file.text === "") ? undefined : changed[name];

const measures: readonly Measure[] = [
  { label: "Duration", value: ({ row, now }) => row && durationOf(row, now), show: formatDuration },
  {
    label: "Tokens",
    value: (run) => tokens("totalTokens")(run) ?? run.spent.tokens,
    show: formatCount,
  },
  { label: "Input", value: tokens("inputTokens"), show: formatCount },
  { label: "Cache read", value: tokens("cacheReadTokens"), show: formatCount },
  { label: "Cache write", value: tokens("cacheWriteTokens"), show: formatCount },
  { label: "Output", value: tokens("outputTokens"), show: formatCount },
  {
    label: "Cost",
    value: ({ row, spent }) => row?.costUsd ?? spent.costUsd,
    show: (usd, { row, summary }) => formatCost(usd, row?.costSource ?? summary.costSource),
  },
  {
    label: "Tool calls",
    value: ({ summary }) => summary.tools.reduce((sum, { calls }) => sum + calls, 0),
    show: formatCount,
  },
  { label: "Commands", value: ({ summary }) => summary.commands.length, show: formatCount },
  {
    label: "Failed commands",
    value: ({ summary }) => summary.commands.filter(hasFailed).length,
    show: formatCount,
  },
  { label: "Files read", value: ({ summary }) => summary.filesRead.length, show: formatCount },
  {
    label: "Files changed",
    value: ({ changed }) => changed.files.length + changed.moreFiles,
    show: formatCount,
  },
  { label: "Lines added", value: lines("insertions"), show: formatCount },
  { label: "Lines removed", value: lines("deletions"), show: formatCount },
  { label: "Subagents", value: ({ summary }) => summary.subagents, show: formatCount },
  { label: "Errors", value: ({ summary }) => summary.errors.length, show: formatCount },
  { label: "Warnings", value: ({ summary }) => summary.warnings.length, show: formatCount },
];

/** Values that no run reports are left out. A value that only some runs lack is a dash, not a zero. */
export function compareNumbers(runs: readonly Measured[]): Compared[] {
  const outcome: Compared = {
    label: "Outcome",
    values: runs.map((run) => ({ words: outcomeOf(run), difference: "" })),
  };
  const rows = measures.flatMap(({ label, value, show }) => {
    const numbers = runs.map(value);
    if (numbers.every((number) => number === undefined)) return [];
    const values = runs.map((run, index) => {
      const number = numbers[index];
      return {
        words: number === undefined ? "–" : show(number, run),
        difference: index === 0 ? "" : differenceOf(numbers[0], number),
      };
    });
    return [{ label, values }];
  });
  return [outcome, ...rows];
}

function outcomeOf({ row }: Measured): string {
  if (row === undefined) return "";
  const kind = row.failure?.kind.replaceAll("_", " ");
  return kind === undefined ? outcomeWords[row.outcome] : `${outcomeWords[row.outcome]}: ${kind}`;
}

function differenceOf(a: number | undefined, b: number | undefined): string {
  if (a === undefined || b === undefined || a === b) return "";
  if (a === 0) return "";
  const percent = Math.round(((b - a) / a) * 100);
  if (percent === 0) return "≈";
  return `${percent > 0 ? "+" : "−"}${Math.abs(percent).toLocaleString("en-US")} %`;
}
