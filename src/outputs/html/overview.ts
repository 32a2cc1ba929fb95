import type { RunCheck } from "../../events/run-check.js";
import { describeCheck } from "../../story/describe-check.js";
import { titleOfFailure } from "../../story/explain-failure.js";
import { failureOf, hasFailed, nextStepOf, outcomeWords } from "../../story/outcomes.js";
import type { RecordedSummary } from "../../story/recorded-summary.js";
import { figuresOf, type RunFigure } from "../../story/run-figures.js";
import { promptOf, type RunRecord, workingDirectory } from "../../story/run-record.js";
import type { CommandRun } from "../../story/run-summary.js";
import { toVisibleLine } from "../../text/cut.js";
import { formatCount } from "../../text/numbers.js";
import type { ShownChanges } from "./changes.js";
import type { Allowance } from "./limits.js";
import { html, type Markup } from "./markup.js";
import { renderText, renderWords } from "./views.js";

/** The head of the page: what was asked, how it ended, what it took. */
export function renderHead(
  run: RunRecord,
  summary: RecordedSummary,
  changes: ShownChanges,
  allowance: Allowance,
): Markup {
  const { meta, outcome } = run;
  const agent = [meta.agent, meta.agentVersion].filter((part) => part !== undefined).join(" ");
  const facts = [agent, meta.model ?? summary.model, workingDirectory(run)].filter(
    (fact) => fact !== undefined && fact !== "",
  );
  return html`
    <header>
      <p class="facts">
        <span class="outcome ${outcome}">${outcomeWords[outcome]}</span>
        ${facts.map((fact) => html`<span dir="auto">${toVisibleLine(fact ?? "", 120)}</span>`)}
        <time datetime="${meta.startedAt}">${formatMoment(meta.startedAt)}</time>
      </p>
      <h1 dir="auto">${toVisibleLine(promptOf(run), titleLength) || "A run without a prompt"}</h1>
      ${isLong(meta.prompt) && renderPrompt(meta.prompt, allowance)}
      ${renderFailure(summary, allowance)}
      ${meta.check && renderCheck(meta.check, allowance)}
    </header>
    ${renderTiles(summary, changes)}`;
}

const titleLength = 140;

function renderPrompt(prompt: string, allowance: Allowance): Markup {
  return html`<details class="part"><summary>The whole prompt</summary>${renderText(prompt, allowance)}</details>`;
}

function isLong(prompt: string): boolean {
  return prompt.trim().includes("\n") || prompt.length > titleLength;
}

function renderFailure(summary: RecordedSummary, allowance: Allowance): Markup | false {
  const reason = failureOf(summary);
  if (reason === undefined) return false;
  const nextStep = nextStepOf(summary.failure);
  return html`
    <div class="failure" role="note">
      <b>${titleOfFailure(summary.outcome, reason.kind)}</b>
      ${reason.kind !== undefined && html` <code>${reason.kind}</code> `}
      <span dir="auto">${renderWords(allowance, reason.message)}</span>
      ${nextStep !== undefined && html`<p class="next">${nextStep}</p>`}
    </div>`;
}

function renderCheck(check: RunCheck, allowance: Allowance): Markup {
  const title = `${describeCheck(check)}: ${toVisibleLine(check.command, titleLength)}`;
  if (check.tail.trim() === "") return html`<p dir="auto">${title}</p>`;
  return html`<details class="part"><summary dir="auto">${title}</summary>${renderText(check.tail, allowance)}</details>`;
}

/** `2026-11-15 19:13 UTC`: the time zone of the readers is not known. */
function formatMoment(timestamp: string): string {
  return `${timestamp.slice(0, 10)} ${timestamp.slice(11, 16)} UTC`;
}

function renderTiles(summary: RecordedSummary, changes: ShownChanges): Markup {
  const { durationMs, usage, costUsd, costSource } = summary;
  const { files, moreFiles = 0, insertions, deletions } = changes;
  const figures = figuresOf({
    summary,
    durationMs,
    tokens: usage?.totalTokens,
    isWholeSession: usage?.scope === "session",
    costUsd,
    costSource,
    changes: { files: files.length + moreFiles, insertions, deletions },
  });
  return html`<dl class="tiles">${figures.map(renderTile)}</dl>`;
}

function renderTile({ label, value, notes, source }: RunFigure): Markup {
  const words = [...notes, ...(source === undefined ? [] : [{ words: source, tone: undefined }])];
  return html`<div><dt>${label}</dt><dd>${value}${words.map((note) => html` <small class="${note.tone ?? ""}">${note.words}</small>`)}</dd></div>`;
}

const shownEntries = 12;
const maxEntries = 1000;
const lineLength = 160;

/** What was changed and what was run. */
export function renderDeeds({ commands }: RecordedSummary, changes: Markup | false): Markup | false {
  if (changes === false && commands.length === 0) return false;
  const ordered = [...commands.filter(hasFailed), ...commands.filter((command) => !hasFailed(command))];
  return html`
    <div class="deeds-of-run">
      ${changes}
      ${renderCard("Commands", ordered.map(renderCommand))}
    </div>`;
}

function renderCommand(command: CommandRun): Markup {
  const code = html`<code dir="auto">${toVisibleLine(command.command, lineLength)}</code>`;
  if (!hasFailed(command)) return html`<li>${code}</li>`;
  const how = command.exitCode === undefined ? "failed" : `exit ${command.exitCode}`;
  return html`<li class="failed">${code} <small>${how}</small></li>`;
}

/** The first entries, and the rest in a fold. */
function renderCard(title: string, entries: readonly Markup[]): Markup | false {
  if (entries.length === 0) return false;
  const rest = entries.slice(shownEntries, maxEntries);
  return html`
    <section class="card">
      <h2>${title} <small>${formatCount(entries.length)}</small></h2>
      <ul>${entries.slice(0, shownEntries)}</ul>
      ${
        rest.length > 0 &&
        html`
          <details class="part">
            <summary>${formatCount(entries.length - shownEntries)} more</summary>
            <ul>${rest}</ul>
            ${entries.length > maxEntries && html`<p class="nothing">and ${formatCount(entries.length - maxEntries)} more</p>`}
          </details>`
      }
    </section>`;
}
