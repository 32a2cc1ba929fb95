import type { RunCheck } from "../../events/run-check.js";
import { describeCheck } from "../../story/describe-check.js";
import { hasFailed, nextStepOf, outcomeWords } from "../../story/outcomes.js";
import type { CommandRun, RunSummary } from "../../story/run-summary.js";
import { cleanLine } from "../../text/cut.js";
import { formatCount, formatDuration, formatNumberOf, formatUsd } from "../../text/numbers.js";
import { relativeTo } from "../../text/paths.js";
import { toChangeRows } from "./changes.js";
import { marks } from "./deed-line.js";
import { withTilde } from "./operation-line.js";
import type { Page } from "./page.js";
import { widthOf } from "./width.js";
import { wrapText } from "./wrap.js";

/** What the closing rows need besides the events. */
export interface ClosingFacts {
  agentName: string;
  home: string | undefined;
  recording: string | undefined;
  /** Why the run failed, as fully as it was reported. */
  why: string | undefined;
  /** How long it was observed to run. */
  observedMs: number | undefined;
  /** How many warnings were left out because they had been shown before. */
  hiddenWarnings: number;
  /** How many records were not shown because no rule understands them. */
  notUnderstood: number;
}

/** The message of every cancelled run. */
const nothingToAdd = "the run was cancelled";

const maxNamed = 6;
const maxReasonRows = 10;

/** The last rows: how it ended and why, what was changed and run, what it took, where it is recorded. */
export function writeClosing(page: Page, summary: RunSummary, facts: ClosingFacts): void {
  page.begin("closing");
  writeOutcome(page, summary, facts);
  writeField(page, "Turns", turns(summary.turns));
  writeChanges(page, summary, facts);
  writeField(page, "Commands", commandsRun(summary.commands));
  writeField(page, "Tokens", tokens(summary.usage));
  writeField(page, "Cost", cost(summary, facts.agentName));
  writeField(page, "Warnings", warnings(facts.hiddenWarnings));
  writeField(page, "Not shown", unknowns(facts.notUnderstood));
  if (facts.recording === undefined) return;
  writeField(page, "Recording", [withTilde(facts.recording, facts.home)]);
  if (summary.runId !== undefined && summary.outcome?.isSuccess !== true)
    writeField(page, "Details", [`harness sessions show ${summary.runId}`, "harness view"]);
}

/** After the closing rows: how the check ended. What it printed is above. */
export function writeCheck(page: Page, check: RunCheck): void {
  page.beginNew("closing");
  const mark = check.isSuccess ? marks.success : marks.failure;
  page.paragraph({ text: describeCheck(check), style: "bold", mark });
  writeField(page, "Command", [check.command]);
}

/** What is different at the end; where that is not known, what the agent said that it wrote. */
function writeChanges(page: Page, summary: RunSummary, { home, recording }: ClosingFacts): void {
  const isBeside = page.columns >= 50;
  const rows = toChangeRows(summary, home, page.columns - (isBeside ? besideLabel : 4));
  if (rows.length === 0) {
    writeField(page, "Changed", changedFiles(summary, home));
    return;
  }
  if (!isBeside) page.row([{ text: "  Changed", style: "dim" }]);
  for (const [index, row] of rows.entries()) {
    const indentation = isBeside && index === 0 ? titleOf("Changed") : " ".repeat(isBeside ? besideLabel : 4);
    page.row([{ text: indentation, style: "dim" }, ...row]);
  }
  if (recording === undefined || summary.runId === undefined || !hasLines(summary)) return;
  writeField(page, "Diff", [`harness sessions diff ${summary.runId}`]);
}

/** False if a difference would be empty. */
function hasLines({ changes }: RunSummary): boolean {
  if (changes?.source === "git") return changes.files.length > 0;
  return changes !== undefined && changes.insertions + changes.deletions > 0;
}

function writeOutcome(page: Page, summary: RunSummary, { why, observedMs }: ClosingFacts): void {
  const isSuccess = summary.outcome?.isSuccess ?? false;
  const reason = summary.outcome?.reason ?? "failed";
  const kind = summary.failure?.kind;
  const isLeft = isLeftAfterInterrupt(summary);
  const isSaid = isLeft || kind === undefined || kind === reason || kind === "unknown";
  const duration = durationOf(summary, observedMs);
  const words = [
    isLeft ? "Ended" : outcomeWords[isSuccess ? "completed" : reason],
    ...(isSaid ? [] : [`(${kind.replaceAll("_", " ")})`]),
    ...(duration === undefined ? [] : [`${isSuccess ? "in" : "after"} ${formatDuration(duration)}`]),
  ];
  const mark = isLeft ? marks.open : isSuccess ? marks.success : marks.failure;
  page.paragraph({ text: words.join(" "), style: "bold", mark });
  if (!isSuccess && why !== undefined && why.trim() !== "" && why !== nothingToAdd)
    page.paragraph({
      text: why,
      style: isLeft ? "dim" : "failure",
      mark: { text: " " },
      maxRows: maxReasonRows,
    });
  const hint = isSuccess ? undefined : nextStepFor(summary);
  if (hint !== undefined) page.paragraph({ text: hint, mark: marks.nextStep, maxRows: maxReasonRows });
}

/** Somebody interrupted the last turn and ended the session then. Nothing went wrong. */
function isLeftAfterInterrupt({ outcome, failure, turns = [] }: RunSummary): boolean {
  const isFailed = outcome?.isSuccess === false && outcome.reason === "failed";
  return isFailed && failure?.kind === "cancelled" && turns.at(-1)?.outcome?.reason === "interrupted";
}

/** Failures that explain nothing. Whoever cancelled a run knows what comes next. */
const unexplained: ReadonlySet<string> = new Set(["crash", "unknown", "killed"]);

function nextStepFor({ failure }: RunSummary): string | undefined {
  if (failure?.hint !== undefined || !unexplained.has(failure?.kind ?? "")) return nextStepOf(failure);
  return "Run it again; if it fails again, look at what it printed last.";
}

/** The longer of the two: the agent's own figure leaves out its start, and a replay may be observed at high speed. */
function durationOf({ durationMs }: RunSummary, observedMs: number | undefined): number | undefined {
  return durationMs === undefined ? undefined : Math.max(durationMs, observedMs ?? 0);
}

const besideLabel = 13;

/** `  Tokens     956 total · 558 input · …`. The value is below the label if there is no room beside it. */
function writeField(page: Page, label: string, parts: readonly string[]): void {
  if (parts.length === 0) return;
  const widest = Math.max(...parts.map((part) => widthOf(cleanLine(part))));
  const isBeside = page.columns >= 50 && widest <= page.columns - besideLabel;
  const indentation = isBeside ? besideLabel : widest <= page.columns - 4 ? 4 : 2;
  const title = titleOf(label);
  if (!isBeside) page.row([{ text: title.trimEnd(), style: "dim" }]);
  for (const [index, row] of flow(parts, page.columns - indentation).entries()) {
    const isTitled = index === 0 && isBeside;
    page.row([isTitled ? { text: title, style: "dim" } : { text: " ".repeat(indentation) }, { text: row }]);
  }
}

function titleOf(label: string): string {
  return `  ${label.padEnd(besideLabel - 2)}`;
}

/** Whole parts, as many as fit into each row. */
function flow(parts: readonly string[], columns: number): string[] {
  const rows: string[] = [];
  let row = "";
  for (const part of parts.map(cleanLine)) {
    const joined = row === "" ? part : `${row} · ${part}`;
    if (widthOf(joined) <= columns) {
      row = joined;
      continue;
    }
    if (row !== "") rows.push(row);
    const [last = "", ...first] = wrapText(part, columns).reverse();
    rows.push(...first.reverse());
    row = last;
  }
  return row === "" ? rows : [...rows, row];
}

/** Nothing if there is only one: the row above says how it ended. */
function turns(all: RunSummary["turns"] = []): string[] {
  if (all.length < 2) return [];
  const reasons = new Map<string, number>();
  for (const { outcome } of all) {
    const reason = outcome?.reason ?? "not ended";
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  return Array.from(reasons, ([reason, count]) => `${formatCount(count)} ${reason}`);
}

function changedFiles({ filesWritten, cwd }: RunSummary, home: string | undefined): string[] {
  if (filesWritten.length === 0) return [];
  const named = filesWritten.slice(0, maxNamed).map(({ path }) => withTilde(relativeTo(path, cwd), home));
  const more = filesWritten.length - named.length;
  return [formatNumberOf(filesWritten.length, "file"), ...named, ...(more > 0 ? [`${more} more`] : [])];
}

function commandsRun(commands: readonly CommandRun[]): string[] {
  if (commands.length === 0) return [];
  const failed = commands.filter(hasFailed).length;
  return [`${formatCount(commands.length)} run${failed === 0 ? "" : `, ${formatCount(failed)} failed`}`];
}

function tokens(usage: RunSummary["usage"]): string[] {
  if (usage === undefined || usage.totalTokens === 0) return [];
  const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens, reasoningTokens, totalTokens } =
    usage;
  const reasoning = reasoningTokens ? ` (${formatCount(reasoningTokens)} reasoning)` : "";
  return [
    ...counted(totalTokens, usage.scope === "session" ? "in the whole session" : "total"),
    ...counted(inputTokens, "input"),
    ...counted(cacheReadTokens, "cache read"),
    ...counted(cacheWriteTokens, "cache write"),
    ...counted(outputTokens, `output${reasoning}`),
  ];
}

function counted(count: number | undefined, noun: string): string[] {
  return count === undefined ? [] : [`${formatCount(count)} ${noun}`];
}

function cost({ costUsd, costSource, usage }: RunSummary, agentName: string): string[] {
  if (costUsd === undefined || usage?.totalTokens === 0) return [];
  return [formatUsd(costUsd), costSource === "estimated" ? "estimated" : `reported by ${agentName}`];
}

function warnings(hidden: number): string[] {
  return hidden === 0 ? [] : [`${formatNumberOf(hidden, "repetition")} left out`];
}

function unknowns(count: number): string[] {
  return count === 0 ? [] : [`${formatNumberOf(count, "record")} of unknown meaning`];
}
