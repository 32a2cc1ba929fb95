import { toDocument } from "../../../outputs/html/document.js";
import { createAllowance, pageLimits } from "../../../outputs/html/limits.js";
import { html, type Markup } from "../../../outputs/html/markup.js";
import { toVisibleLine } from "../../../text/cut.js";
import { formatCount, formatDuration, formatUsd } from "../../../text/numbers.js";
import type { BatchReport } from "../schema.js";
import { describeCells, describeSize, formatInterval, formatShare, statusWords } from "../words.js";
import { type CellContext, renderCells } from "./cells.js";
import { renderCosts, renderRates } from "./charts.js";
import { reportStyle, reportStyleHash } from "./style.js";
import { renderArms, renderDetails, renderGrid } from "./tables.js";

/**
 * The report as one HTML file that needs nothing else and opens offline. Names, failures, output and patches are hostile: all of them are
 * escaped. The page's own policy allows one style, by its hash, no script, and no connection to anywhere.
 */
export function toHtmlReport(report: BatchReport, options: Pick<CellContext, "patchOf"> = {}): string {
  const context = { allowance: createAllowance(pageLimits), patchOf: options.patchOf };
  const body = html`
    ${renderHead(report)}
    <main>
      <div class="charts">${renderRates(report.arms)}${renderCosts(report.arms)}</div>
      ${renderFindings(report)}
      ${renderGrid(report)}
      ${renderArms(report)}
      ${renderDetails(report)}
      ${renderCells(report, context)}
      <div class="notes">${report.notes.map((note) => html`<p>${note}</p>`)}</div>
    </main>
    <footer>Made by harness from the batch <code>${toVisibleLine(report.batchId, 120)}</code>. This page loads nothing from the network.</footer>`;
  return toDocument({
    title: toVisibleLine(report.name, 80),
    policy: [`style-src '${reportStyleHash}'`],
    style: reportStyle,
    body,
  });
}

function renderHead(report: BatchReport): Markup {
  const { name, status, startedAt, stoppedAgents } = report;
  return html`
    <header>
      <p class="facts">
        <span class="outcome ${status}">${statusWords[status]}</span>
        <span>${describeSize(report)}</span>
        <span>${describeCells(report.total)}</span>
        <time datetime="${startedAt}">${startedAt.slice(0, 10)} ${startedAt.slice(11, 16)} UTC</time>
      </p>
      <h1 dir="auto">${toVisibleLine(name, 140) || "A batch"}</h1>
      ${stoppedAgents.map(
        ({ agent, failure }) => html`
          <div class="failure" role="note"><b>${toVisibleLine(agent, 60)} was stopped</b> <span dir="auto">${toVisibleLine(failure.message, 400)}</span>
            ${failure.hint !== undefined && html`<p class="next">${toVisibleLine(failure.hint, 400)}</p>`}</div>`,
      )}
      ${renderTiles(report)}
    </header>`;
}

function renderTiles({ total, spentUsd, budgetUsd, startedAt, endedAt, reportedAt }: BatchReport): Markup {
  const until = endedAt ?? reportedAt;
  const { passRate } = total;
  const tiles = [
    passRate !== undefined && tile("Pass rate", formatShare(passRate.rate), formatInterval(passRate)),
    tile("Passed", formatCount(total.passed)),
    tile("Failed", formatCount(total.failed)),
    tile(
      "Errors",
      formatCount(total.errors),
      total.setupFailures > 0 ? `${total.setupFailures} in setup` : "",
    ),
    tile("Spent", formatUsd(spentUsd), budgetUsd === undefined ? "" : `of ${formatUsd(budgetUsd)}`),
    until !== undefined && tile("Duration", formatDuration(Date.parse(until) - Date.parse(startedAt))),
    total.retries.attempts > 0 && tile("Retries", formatCount(total.retries.attempts)),
  ];
  return html`<dl class="tiles">${tiles}</dl>`;
}

function tile(label: string, value: string, note = ""): Markup {
  return html`<div><dt>${label}</dt><dd>${value}${note !== "" && html` <small>${note}</small>`}</dd></div>`;
}

function renderFindings({ comparisons, confounds }: BatchReport): Markup | false {
  const differences = comparisons.flatMap(({ sentences }) => sentences);
  if (differences.length === 0 && confounds.length === 0) return false;
  return html`
    <div class="findings">
      ${renderSentences("Differences", differences, "")}
      ${renderSentences(
        "What else may be behind it",
        confounds.map(({ sentence }) => sentence),
        "doubts",
      )}
    </div>`;
}

function renderSentences(title: string, sentences: readonly string[], className: string): Markup | false {
  if (sentences.length === 0) return false;
  return html`
    <section class="card ${className}">
      <h2>${title}</h2>
      <ul>${sentences.map((sentence) => html`<li><span>${sentence}</span></li>`)}</ul>
    </section>`;
}
