import { relativeTo } from "../../translator/paths.js";
import { outcomeWords, reasonOf, workingDirectory } from "../facts.js";
import type { RunRecord } from "../run-record.js";
import { costSourceWords, hasFailed, type RecordedSummary } from "../summary.js";
import { formatCount, formatDuration, formatNumberOf, formatShortCount, formatUsd } from "../text/numbers.js";
import { toVisibleLine } from "../text/visible-text.js";
import type { Allowance } from "./limits.js";
import { html, type Markup } from "./markup.js";
import { renderText } from "./views.js";

/** The head of the page: what was asked, how it ended, what it took. */
export function renderHead(run: RunRecord, summary: RecordedSummary, allowance: Allowance): Markup {
  const { meta, outcome } = run;
  const agent = [meta.agent, meta.agentVersion].filter((part) => part !== undefined).join(" ");
  const facts = [agent, meta.model ?? summary.model, workingDirectory(run)].filter(
    (fact) => fact !== undefined && fact !== "",
  );
  return html`<header><p class="facts"><span class="outcome ${outcome}">${outcomeWords[outcome]}</span>${facts.map(
    (fact) => html`<span dir="auto">${toVisibleLine(fact ?? "", 120)}</span>`,
  )}<time datetime="${meta.startedAt}">${formatMoment(meta.startedAt)}</time></p><h1 dir="auto">${toVisibleLine(meta.prompt, 140) || "A run without a prompt"}</h1>${
    isLong(meta.prompt) &&
    html`<details class="part"><summary>The whole prompt</summary>${renderText(meta.prompt, allowance)}</details>`
  }${renderFailure(summary, allowance)}</header>
${renderTiles(summary)}`;
}

function isLong(prompt: string): boolean {
  return prompt.trim().includes("\n") || prompt.length > 140;
}

function renderFailure(summary: RecordedSummary, allowance: Allowance): Markup | false {
  const reason = reasonOf(summary);
  if (reason === undefined) return false;
  const cut = allowance.cut(reason.message);
  return html`<div class="failure" role="note">${reason.kind !== undefined && html`<b>${reason.kind}</b> `}<span dir="auto">${cut.head}${cut.omitted > 0 && " … "}${cut.tail}</span></div>`;
}

/** `2026-11-15 19:13 UTC`: a page has no place, so it has no local time. */
function formatMoment(timestamp: string): string {
  return `${timestamp.slice(0, 10)} ${timestamp.slice(11, 16)} UTC`;
}

function renderTiles(summary: RecordedSummary): Markup {
  const failedCommands = summary.commands.filter(hasFailed).length;
  const total = summary.usage?.totalTokens;
  const tiles: (Markup | false)[] = [
    summary.durationMs !== undefined && tile("Duration", formatDuration(summary.durationMs)),
    total !== undefined &&
      tile("Tokens", formatShortCount(total), summary.usage?.scope === "session" ? "whole session" : ""),
    summary.costUsd !== undefined &&
      tile("Cost", formatUsd(summary.costUsd), costSourceWords[summary.costSource ?? "agent"]),
    tile("Files changed", formatCount(summary.filesWritten.length)),
    tile(
      "Commands",
      formatCount(summary.commands.length),
      failedCommands > 0 ? `${formatCount(failedCommands)} failed` : "",
    ),
    summary.subagents > 0 && tile("Subagents", formatCount(summary.subagents)),
    summary.errors.length > 0 && tile("Errors", formatCount(summary.errors.length)),
    summary.warnings.length > 0 && tile("Warnings", formatCount(summary.warnings.length)),
  ];
  return html`<dl class="tiles">${tiles}</dl>`;
}

function tile(label: string, value: string, note = ""): Markup {
  return html`<div><dt>${label}</dt><dd>${value}${note !== "" && html` <small>${note}</small>`}</dd></div>`;
}

const shownEntries = 12;

/** What was changed and what was run. */
export function renderDeeds({ filesWritten, commands }: RecordedSummary, cwd: string): Markup | false {
  if (filesWritten.length === 0 && commands.length === 0) return false;
  const failed = commands.filter(hasFailed);
  const files = filesWritten.map(
    ({ path, count }) =>
      html`<li><code dir="auto">${toVisibleLine(relativeTo(path, cwd), 160)}</code>${count > 1 && html` <small>${formatCount(count)} changes</small>`}</li>`,
  );
  const ran = [...failed, ...commands.filter((command) => !hasFailed(command))].map(
    (command) =>
      html`<li${hasFailed(command) && html` class="failed"`}><code dir="auto">${toVisibleLine(command.command, 160)}</code>${hasFailed(command) && html` <small>${command.exitCode === undefined ? "failed" : `exit ${command.exitCode}`}</small>`}</li>`,
  );
  return html`<div class="deeds-of-run">${card("Files changed", files)}${card("Commands", ran)}</div>`;
}

function card(title: string, entries: readonly Markup[]): Markup | false {
  if (entries.length === 0) return false;
  const rest = entries.slice(shownEntries, 1000);
  const beyond = entries.length - shownEntries - rest.length;
  return html`<section class="card"><h2>${title} <small>${formatCount(entries.length)}</small></h2><ul>${entries.slice(0, shownEntries)}</ul>${
    rest.length > 0 &&
    html`<details class="part"><summary>${formatCount(entries.length - shownEntries)} more</summary><ul>${rest}</ul>${beyond > 0 && html`<p class="nothing">and ${formatNumberOf(beyond, "more entry").replace("entrys", "entries")}</p>`}</details>`
  }</section>`;
}
