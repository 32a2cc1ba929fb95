import { formatCount, formatDuration, formatShortCount, formatUsd } from "../text/numbers.js";
import { hasFailed } from "./outcomes.js";
import { costSourceWords } from "./recorded-summary.js";
import type { CostSource, RunSummary } from "./run-summary.js";

/** One figure at the head of a run. Its texts are safe to show. */
export interface RunFigure {
  id: "duration" | "tokens" | "cost" | "turns" | "changes" | "commands" | "subagents" | "errors" | "warnings";
  label: string;
  value: string;
  /** The exact number. */
  exact?: string;
  /** Who says so. */
  source?: string;
  notes: readonly FigureNote[];
}

export interface FigureNote {
  words: string;
  tone?: "good" | "bad";
}

/** What the figures are made of. */
export interface FigureFacts {
  summary: Pick<RunSummary, "commands" | "subagents" | "errors" | "warnings" | "turns" | "filesWritten">;
  /** Not known for a log without times. */
  durationMs?: number | undefined;
  tokens?: number | undefined;
  isWholeSession?: boolean;
  costUsd?: number | undefined;
  costSource?: CostSource | undefined;
  changes?: { files: number; insertions: number; deletions: number } | undefined;
  /** Commands that have not ended yet. They count. */
  running?: number;
}

/** What a run took and did, in the order in which people ask for it. What is not known, or did not happen, is left out. */
export function figuresOf({ summary, ...facts }: FigureFacts): RunFigure[] {
  const { subagents, errors, warnings, turns } = summary;
  return [
    ...spentOf(facts),
    ...(turns === undefined ? [] : [counted("turns", "Turns", turns.length)]),
    counted("changes", "Files changed", facts.changes?.files ?? summary.filesWritten.length, [
      ...lineNote("+", facts.changes?.insertions, "good"),
      ...lineNote("−", facts.changes?.deletions, "bad"),
    ]),
    commandsOf(summary.commands, facts.running ?? 0),
    ...(subagents > 0 ? [counted("subagents", "Subagents", subagents)] : []),
    ...(errors.length > 0 ? [counted("errors", "Errors", errors.length)] : []),
    ...(warnings.length > 0 ? [counted("warnings", "Warnings", warnings.length)] : []),
  ];
}

function spentOf(facts: Omit<FigureFacts, "summary">): RunFigure[] {
  const { durationMs, tokens, isWholeSession, costUsd, costSource = "agent" } = facts;
  const figures: RunFigure[] = [];
  if (durationMs !== undefined)
    figures.push({ id: "duration", label: "Duration", value: formatDuration(durationMs), notes: [] });
  if (tokens !== undefined)
    figures.push({
      id: "tokens",
      label: "Tokens",
      value: formatShortCount(tokens),
      exact: formatCount(tokens),
      notes: isWholeSession ? [{ words: "whole session" }] : [],
    });
  if (costUsd !== undefined)
    figures.push({
      id: "cost",
      label: "Cost",
      // It never looks like the agent's own figure.
      value: `${costSource === "estimated" ? "~" : ""}${formatUsd(costUsd)}`,
      ...(costSource === "agent" && { source: costSourceWords.agent }),
      notes: costSource === "estimated" ? [{ words: costSourceWords.estimated }] : [],
    });
  return figures;
}

function commandsOf(commands: RunSummary["commands"], running: number): RunFigure {
  const failed = commands.filter(hasFailed).length;
  return counted("commands", "Commands", commands.length + running, [
    ...(failed > 0 ? [{ words: `${formatCount(failed)} failed`, tone: "bad" as const }] : []),
    ...(running > 0 ? [{ words: `${formatCount(running)} running` }] : []),
  ]);
}

function counted(
  id: RunFigure["id"],
  label: string,
  count: number,
  notes: readonly FigureNote[] = [],
): RunFigure {
  return { id, label, value: formatCount(count), notes };
}

function lineNote(sign: string, count: number | undefined, tone: "good" | "bad"): FigureNote[] {
  return count === undefined || count === 0 ? [] : [{ words: `${sign}${formatCount(count)}`, tone }];
}
