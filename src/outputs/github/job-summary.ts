import { titleOfFailure } from "../../story/explain-failure.js";
import { hasFailed, nextStepOf, outcomeWords, signOf } from "../../story/outcomes.js";
import { costSourceWords } from "../../story/recorded-summary.js";
import type { RunSummary } from "../../story/run-summary.js";
import { toVisibleLine } from "../../text/cut.js";
import { formatCount, formatDuration, formatShortCount, formatUsd } from "../../text/numbers.js";
import { listChanges, renderCheck, renderDiff } from "../markdown-changes.js";
import { codeSpan, escapeMarkdown, fence, fold, shorten } from "../markdown-fence.js";
import { quoteMarkdown } from "../markdown-quote.js";
import { isJobSuccess, type JobFacts } from "./job-facts.js";

/** How much is shown, from most to least. */
const levels = [
  { body: 400_000, entries: 300 },
  { body: 100_000, entries: 200 },
  { body: 20_000, entries: 100 },
  { body: 4000, entries: 50 },
  { body: 1000, entries: 20 },
  { body: 0, entries: 5 },
];
type Level = (typeof levels)[number];

/** GitHub shows no summary of a step at all if it is longer than this. */
export const mostSummaryBytes = 1024 * 1024;

const cutSentence =
  "*Long texts are cut here: the summary of a step has little room. The log and the recording have more.*";

/**
 * A run in the summary of a job: what was asked, how it ended and why, the check, the answer, what changed, what it took. Undefined if
 * there is not even room for the least.
 */
export function toJobSummary(facts: JobFacts, maxBytes = mostSummaryBytes): string | undefined {
  for (const [index, level] of levels.entries()) {
    const text = render(facts, level, index > 0);
    if (new TextEncoder().encode(text).length <= maxBytes) return text;
  }
  return undefined;
}

function render(facts: JobFacts, level: Level, isCut: boolean): string {
  const { summary, prompt, check, patch } = facts;
  const sections = [
    `## ${signOf(!isJobSuccess(facts))} ${escapeMarkdown(toVisibleLine(prompt, 100)) || "A run without a prompt"}`,
    renderFacts(facts),
    renderFailure(summary),
    check && renderCheck(check, { level: 3, hasOutput: level.body > 0 }),
    renderPrompt(prompt, level),
    renderAnswer(summary, level),
    renderChanges(summary, patch, level),
    renderCommands(summary, level),
    renderWarnings(summary, level),
    renderTokens(summary),
    isCut ? cutSentence : undefined,
    renderFooter(facts),
  ];
  return `${sections.filter((section) => section !== undefined).join("\n\n")}\n`;
}

function renderFacts({ summary, agentName }: JobFacts): string {
  const { outcome, failure, agentVersion, model, durationMs, usage, costUsd } = summary;
  const reason = outcome?.isSuccess ? "completed" : (outcome?.reason ?? "running");
  const words = outcome === undefined ? "Not ended" : titleOfFailure(reason, failure?.kind);
  const agent = toVisibleLine([agentName, agentVersion].filter((part) => part !== undefined).join(" "), 60);
  return [
    `**${outcome?.isSuccess ? outcomeWords.completed : escapeMarkdown(words)}**`,
    ...(durationMs === undefined ? [] : [formatDuration(durationMs)]),
    codeSpan(agent),
    ...(model === undefined ? [] : [codeSpan(toVisibleLine(model, 60))]),
    ...(usage?.totalTokens === undefined ? [] : [`${formatShortCount(usage.totalTokens)} tokens`]),
    ...(costUsd === undefined ? [] : [formatUsd(costUsd)]),
  ].join(" · ");
}

function renderFailure({ outcome, failure }: RunSummary): string | undefined {
  if (outcome?.isSuccess !== false || failure === undefined) return undefined;
  const hint = nextStepOf(failure);
  const next = hint === undefined ? [] : [`Next step: ${escapeMarkdown(toVisibleLine(hint, 400))}`];
  return [quoteMarkdown(shorten(failure.message, 2000)), ...next].join("\n\n");
}

/** Left out if the title shows all of it. */
function renderPrompt(prompt: string, { body }: Level): string | undefined {
  if (body === 0 || (!prompt.trim().includes("\n") && prompt.length <= 100)) return undefined;
  return fold("The whole prompt", fence(shorten(prompt, body)));
}

function renderAnswer({ text, outcome }: RunSummary, { body }: Level): string | undefined {
  if (text === undefined || text.trim() === "") return undefined;
  const title = outcome?.isSuccess ? "Answer" : "Last message";
  return `### ${title}\n\n${quoteMarkdown(shorten(text, Math.max(body, 500)))}`;
}

function renderChanges(summary: RunSummary, patch: string | undefined, level: Level): string | undefined {
  const list = section("Changes", listChanges(summary, summary.cwd), level);
  const diff = renderDiff(patch, level.body);
  return list === undefined || diff === undefined ? list : `${list}\n\n${diff}`;
}

function renderCommands({ commands }: RunSummary, { body, entries }: Level): string | undefined {
  if (commands.length === 0 || body === 0) return undefined;
  const lines = commands.map((command) => {
    const code = command.exitCode === undefined ? "" : ` exit ${command.exitCode}`;
    return `- ${signOf(hasFailed(command))} ${codeSpan(toVisibleLine(command.command, 200))}${code}`;
  });
  return fold(`Commands: ${formatCount(commands.length)}`, limited(lines, entries).join("\n"));
}

function renderWarnings({ warnings }: RunSummary, level: Level): string | undefined {
  const messages = [...new Set(warnings.map(({ message }) => message))];
  return section(
    "Warnings",
    messages.map((message) => `- ${codeSpan(toVisibleLine(message, 300))}`),
    level,
  );
}

function section(title: string, lines: readonly string[], { entries }: Level): string | undefined {
  return lines.length === 0 ? undefined : `### ${title}\n\n${limited(lines, entries).join("\n")}`;
}

function limited(lines: readonly string[], entries: number): readonly string[] {
  const rest = lines.length - entries;
  return rest > 0 ? [...lines.slice(0, entries), `- and ${formatCount(rest)} more`] : lines;
}

function renderTokens({ usage, costUsd, costSource = "agent" }: RunSummary): string | undefined {
  if (usage === undefined) return undefined;
  const columns: [string, string | undefined][] = [
    ["input", countOf(usage.inputTokens)],
    ["cache read", countOf(usage.cacheReadTokens)],
    ["cache write", countOf(usage.cacheWriteTokens)],
    ["output", countOf(usage.outputTokens)],
    ["of it reasoning", countOf(usage.reasoningTokens)],
    [usage.scope === "session" ? "total of the session" : "total", countOf(usage.totalTokens)],
    [`cost (${costSourceWords[costSource]})`, costUsd === undefined ? undefined : formatUsd(costUsd)],
  ];
  const known = columns.filter(([, value]) => value !== undefined);
  if (known.length === 0) return undefined;
  const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [
    row(known.map(([name]) => name)),
    row(known.map(() => "---:")),
    row(known.map(([, value = ""]) => value)),
  ].join("\n");
}

function countOf(count: number | undefined): string | undefined {
  return count === undefined ? undefined : formatCount(count);
}

function renderFooter({ summary, recording }: JobFacts): string | undefined {
  if (summary.runId === undefined) return undefined;
  const where = recording === undefined ? " It was not recorded." : "";
  return `*harness run ${codeSpan(summary.runId)}.${where}*`;
}
