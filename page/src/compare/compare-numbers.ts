import type { TokenCounts } from "../../../src/events/usage.js";
import type { RunRow } from "../../../src/server/protocol.js";
import { hasFailed, outcomeWords } from "../../../src/story/outcomes.js";
import type { RunSummary } from "../../../src/story/run-summary.js";
import type { Spent } from "../../../src/story/spending.js";
import { formatCount, formatDuration } from "../../../src/text/numbers.js";
import { durationOf } from "../runs/run-line.js";
import { formatCost } from "../ui/cost.js";

export interface Measured {
  row: RunRow | undefined;
  summary: RunSummary;
  spent: Spent;
  now: number;
}

export interface Compared {
  label: string;
  first: string;
  second: string;
  /** How much more or less the second run has. */
  difference: string;
}

interface Measure {
  label: string;
  value(run: Measured): number | undefined;
  show(value: number, run: Measured): string;
}

const tokens = (name: keyof TokenCounts) => (run: Measured) => (run.row?.usage ?? run.summary.usage)?.[name];

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
  { label: "Files changed", value: ({ summary }) => summary.filesWritten.length, show: formatCount },
  { label: "Subagents", value: ({ summary }) => summary.subagents, show: formatCount },
  { label: "Errors", value: ({ summary }) => summary.errors.length, show: formatCount },
  { label: "Warnings", value: ({ summary }) => summary.warnings.length, show: formatCount },
];

/** Values that neither run reports are left out. A value that only one run lacks is a dash, not a zero. */
export function compareNumbers(first: Measured, second: Measured): Compared[] {
  const outcome: Compared = {
    label: "Outcome",
    first: outcomeOf(first),
    second: outcomeOf(second),
    difference: "",
  };
  const rows = measures.flatMap(({ label, value, show }) => {
    const a = value(first);
    const b = value(second);
    if (a === undefined && b === undefined) return [];
    const words = (number: number | undefined, run: Measured): string =>
      number === undefined ? "–" : show(number, run);
    return [{ label, first: words(a, first), second: words(b, second), difference: differenceOf(a, b) }];
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
