import { patchOfEdits } from "../../story/changed-files.js";
import {
  failureOf,
  findAnswer,
  hasFailed,
  nextStepOf,
  outcomeWords,
  signOf,
  signOfRun,
  titleOfAnswer,
} from "../../story/outcomes.js";
import { costSourceWords, type RecordedSummary, summarizeRun } from "../../story/recorded-summary.js";
import { promptOf, type RunRecord, workingDirectory } from "../../story/run-record.js";
import { buildTimeline } from "../../story/timeline/build-timeline.js";
import type { Timeline } from "../../story/timeline/items.js";
import { splitTurns, type TurnRows } from "../../story/timeline/split-turns.js";
import { countItems, type Row, thinOut } from "../../story/timeline/thin-out.js";
import { toVisibleLine } from "../../text/cut.js";
import {
  formatCount,
  formatDuration,
  formatNumberOf,
  formatShortCount,
  formatUsd,
} from "../../text/numbers.js";
import { listChanges, renderCheck, renderDiff } from "../markdown-changes.js";
import { codeSpan, escapeMarkdown, fence, fold, shorten } from "../markdown-fence.js";
import { quoteMarkdown } from "../markdown-quote.js";
import { type RowContext, renderPrompt as renderPromptOf, renderRows } from "./rows.js";
import { renderEntries, renderRequest, renderTurnEnd, titleOfTurn } from "./turns.js";

export interface MarkdownOptions {
  /** Texts are cut until the whole is not longer than this. Default 60,000: a comment on GitHub may have 65,536. */
  maxCharacters?: number | undefined;
  /** What the run changed. Default: what its edits said. */
  patch?: string | undefined;
}

/** How much is shown, from everything to the least. */
const all = Number.POSITIVE_INFINITY;
const levels = [
  { body: all, items: all, entries: all },
  { body: 6000, items: all, entries: 200 },
  { body: 1500, items: all, entries: 100 },
  { body: 400, items: 400, entries: 50 },
  { body: 200, items: 200, entries: 50 },
  { body: 0, items: 200, entries: 50 },
  { body: 0, items: 120, entries: 50 },
  { body: 0, items: 60, entries: 20 },
  { body: 0, items: 0, entries: 20 },
];
/** The minimum number of characters of an item. */
const shortestItem = 40;

/** A run as a transcript to paste into a pull request. */
export function toMarkdown(run: RunRecord, options: MarkdownOptions = {}): string {
  const { maxCharacters = 60_000 } = options;
  const timeline = buildTimeline(run.events, run.meta.startedAt);
  const summary = summarizeRun(run.meta, run.outcome, run.events);
  const patch = options.patch ?? patchOfEdits(run.events);
  let text = "";
  const shortest = countItems(timeline.items) * shortestItem;
  for (const [index, level] of levels.entries()) {
    if (level.items === all && shortest > maxCharacters) continue;
    text = render({ run, timeline, summary, patch }, { ...level, isCut: index > 0 });
    if (text.length <= maxCharacters) break;
  }
  return text;
}

interface Level {
  body: number;
  items: number;
  entries: number;
  isCut: boolean;
}

interface Shown {
  run: RunRecord;
  timeline: Timeline;
  summary: RecordedSummary;
  patch: string | undefined;
}

function render({ run, timeline, summary, patch }: Shown, level: Level): string {
  const cwd = workingDirectory(run);
  const sections = [
    `# ${titleOf(run)}`,
    renderFacts(run, summary),
    renderFailure(summary),
    run.meta.check && renderCheck(run.meta.check, { level: 2, hasOutput: level.body > 0 }),
    renderPrompt(run, level),
    renderAnswer(summary, level),
    section("Plan", renderEntries(summary.plan ?? []), level),
    renderChanges(summary, { cwd, patch }, level),
    renderCommands(summary, level),
    renderProblems(summary, level),
    renderConversation(timeline, summary, cwd, level),
    renderTokens(summary),
    renderFooter(run, level),
  ];
  return `${sections.filter((section) => section !== undefined).join("\n\n")}\n`;
}

function titleOf(run: RunRecord): string {
  return escapeMarkdown(toVisibleLine(promptOf(run), 100)) || "A run without a prompt";
}

function renderFacts({ meta, outcome }: RunRecord, summary: RecordedSummary): string {
  const { durationMs, usage, costUsd } = summary;
  const model = meta.model ?? summary.model;
  const agent = toVisibleLine(
    [meta.agent, meta.agentVersion].filter((part) => part !== undefined).join(" "),
    60,
  );
  const facts = [
    `${signOfRun(outcome)} **${outcomeWords[outcome]}**`,
    ...(durationMs === undefined ? [] : [formatDuration(durationMs)]),
    codeSpan(agent),
    ...(model === undefined ? [] : [codeSpan(toVisibleLine(model, 60))]),
    ...(usage?.totalTokens === undefined ? [] : [`${formatShortCount(usage.totalTokens)} tokens`]),
    ...(costUsd === undefined ? [] : [formatUsd(costUsd)]),
  ];
  return facts.join(" · ");
}

function renderFailure(summary: RecordedSummary): string | undefined {
  const reason = failureOf(summary);
  if (reason === undefined) return undefined;
  const kind = reason.kind === undefined ? "" : `**${reason.kind}**\n\n`;
  const nextStep = nextStepOf(summary.failure);
  const hint = nextStep === undefined ? "" : `\n\nNext step: ${escapeMarkdown(toVisibleLine(nextStep, 400))}`;
  return kind + quoteMarkdown(shorten(reason.message, 2000)) + hint;
}

/** Left out if the title shows all of it. */
function renderPrompt({ meta }: RunRecord, { body }: Level): string | undefined {
  if (!meta.prompt.trim().includes("\n") && meta.prompt.length <= 100) return undefined;
  return fold("The whole prompt", fence(shorten(meta.prompt, Math.max(body, 1000))));
}

function renderAnswer({ text: answer, outcome }: RecordedSummary, { body }: Level): string | undefined {
  if (answer === undefined || answer.trim() === "") return undefined;
  return `## ${titleOfAnswer(outcome)}\n\n${quoteMarkdown(shorten(answer, Math.max(body, 4000)))}`;
}

function renderChanges(
  summary: RecordedSummary,
  { cwd, patch }: { cwd: string | undefined; patch: string | undefined },
  level: Level,
): string | undefined {
  const list = section("Changes", listChanges(summary, cwd), level);
  const diff = renderDiff(patch, level.body);
  return list === undefined || diff === undefined ? list : `${list}\n\n${diff}`;
}

function renderCommands({ commands }: RecordedSummary, level: Level): string | undefined {
  const lines = commands.map((command) => {
    const code = command.exitCode === undefined ? "" : ` exit ${command.exitCode}`;
    return `- ${signOf(hasFailed(command))} ${codeSpan(toVisibleLine(command.command, 200))}${code}`;
  });
  return section("Commands", lines, level);
}

function renderProblems({ errors, warnings }: RecordedSummary, level: Level): string | undefined {
  const toLine =
    (word: string) =>
    ({ message }: { message: string }) =>
      `- ${word}: ${codeSpan(toVisibleLine(message, 300))}`;
  return section(
    "Errors and warnings",
    [...errors.map(toLine("error")), ...warnings.map(toLine("warning"))],
    level,
  );
}

function section(title: string, lines: readonly string[], { entries }: Level): string | undefined {
  if (lines.length === 0) return undefined;
  const rest = lines.length - entries;
  const shown = rest > 0 ? [...lines.slice(0, entries), `- and ${formatCount(rest)} more`] : lines;
  return `## ${title}\n\n${shown.join("\n")}`;
}

function renderConversation(
  { items }: Timeline,
  summary: RecordedSummary,
  cwd: string | undefined,
  { body, items: maxItems }: Level,
): string | undefined {
  if (maxItems === 0) return undefined;
  const context: RowContext = { cwd, answer: findAnswer(items, summary), body };
  const { before, turns } = splitTurns(thinOut(items, maxItems));
  if (turns.length > 0) {
    const sections = turns.map((turn) => renderTurn(turn, summary, context));
    return [...renderSteps(before, context), ...sections].join("\n\n");
  }
  const blocks = renderRows(before, context);
  if (blocks.length === 0) return undefined;
  return `## Conversation\n\n${fold(formatNumberOf(countItems(items), "step"), blocks.join("\n\n"))}`;
}

/** A turn of a live session: what was asked for, how it ended, what the agent asked, the steps, the answer. */
function renderTurn({ turn, rows }: TurnRows, summary: RecordedSummary, context: RowContext): string {
  const end = rows.find((row) => row.kind === "turn_end");
  const requests = rows.filter((row) => row.kind === "request");
  return [
    `## ${titleOfTurn(turn)}`,
    ...renderPromptOf(turn, context),
    ...(end === undefined ? [] : [renderTurnEnd(end)]),
    ...(requests.length === 0 ? [] : [requests.map((row) => renderRequest(row, context.cwd)).join("\n")]),
    ...renderSteps(
      rows.filter((row) => row !== end),
      context,
    ),
    ...renderAnswerOf(end?.end.text, summary, context),
  ].join("\n\n");
}

function renderSteps(rows: readonly Row[], context: RowContext): string[] {
  const blocks = renderRows(rows, context);
  return blocks.length === 0 ? [] : [fold(formatNumberOf(blocks.length, "step"), blocks.join("\n\n"))];
}

/** The answer of the last turn is that of the run, which is shown above. */
function renderAnswerOf(text = "", summary: RecordedSummary, { body }: RowContext): string[] {
  if (text.trim() === "") return [];
  if (text.trim() === summary.text?.trim()) return ["**Answer** · shown above"];
  return [`**Answer**\n\n${quoteMarkdown(shorten(text, Math.max(body, 400)))}`];
}

function renderTokens({ usage, costUsd, costSource = "agent" }: RecordedSummary): string | undefined {
  if (usage === undefined) return undefined;
  const rows: [string, number | undefined][] = [
    ["input", usage.inputTokens],
    ["cache read", usage.cacheReadTokens],
    ["cache write", usage.cacheWriteTokens],
    ["output", usage.outputTokens],
    ["of it reasoning", usage.reasoningTokens],
    ["total", usage.totalTokens],
  ];
  const lines = rows.flatMap(([name, count]) =>
    count === undefined ? [] : [`| ${name} | ${formatCount(count)} |`],
  );
  const scope = usage.scope === "session" ? "tokens (whole session)" : "tokens";
  const cost =
    costUsd === undefined ? [] : [`| cost (${costSourceWords[costSource]}) | ${formatUsd(costUsd)} |`];
  return ["## Numbers", "", `| ${scope} | |`, "| --- | ---: |", ...lines, ...cost].join("\n");
}

function renderFooter({ meta }: RunRecord, { isCut }: Level): string {
  const cut = isCut ? " Long texts are cut to fit a comment; export it with `--full` for all of them." : "";
  return `*Recorded by harness as ${codeSpan(meta.runId)} on ${meta.startedAt.slice(0, 10)}.${cut}*`;
}
