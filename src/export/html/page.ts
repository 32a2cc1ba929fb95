import { createHash } from "node:crypto";
import { titleOfAnswer, workingDirectory } from "../facts.js";
import { findAnswer } from "../find-answer.js";
import type { RunRecord } from "../run-record.js";
import { type RecordedSummary, summarizeRun } from "../summary.js";
import { formatCount, formatDuration } from "../text/numbers.js";
import { toVisibleLine } from "../text/visible-text.js";
import { buildTimeline } from "../timeline/build-timeline.js";
import type { Item, Timeline } from "../timeline/items.js";
import { type Kind, kinds, kindsOf } from "../timeline/kinds.js";
import { countItems, thinOut } from "../timeline/thin-out.js";
import { busyTime } from "./busy-time.js";
import { createTimeAxis } from "./charts/time-axis.js";
import { renderTimeChart } from "./charts/time-chart.js";
import { renderTokenBar, renderTokenChart } from "./charts/token-chart.js";
import { createAllowance, noLimits, pageLimits } from "./limits.js";
import { html, Markup } from "./markup.js";
import { renderDeeds, renderHead } from "./overview.js";
import { renderRows } from "./rows.js";
import { script } from "./script.js";
import { style } from "./style/index.js";

export interface HtmlOptions {
  /** Leaves nothing out, however large the page becomes. */
  isFull?: boolean | undefined;
}

/**
 * A run as one HTML file that needs nothing else and opens offline. Agent output is hostile: all of it is
 * escaped, its Markdown is rendered without HTML, and the page's own policy allows one script and one style,
 * by their hashes, and no connection to anywhere.
 */
export function toHtml(run: RunRecord, options: HtmlOptions = {}): string {
  const limits = options.isFull ? noLimits : pageLimits;
  const allowance = createAllowance(limits);
  const { meta, events } = run;
  const cwd = workingDirectory(run);
  const timeline = buildTimeline(events, meta.startedAt);
  const summary = summarizeRun(meta, run.outcome, events);
  const context = {
    allowance,
    cwd,
    answer: findAnswer(timeline.items, summary),
    answerTitle: titleOfAnswer(run.outcome),
  };
  const body = html`${renderHead(run, summary, allowance)}
${renderDeeds(summary, cwd)}
${renderCharts(timeline, summary, cwd)}
${renderToolbar(timeline.items)}
<main>${renderRows(thinOut(timeline.items, limits.items), context)}</main>
<footer>Recorded by harness as <code>${meta.runId}</code>. This page loads nothing from the network.<span class="keys needs-script"> Keys: <kbd>j</kbd> <kbd>k</kbd> next and previous, <kbd>n</kbd> next problem, <kbd>/</kbd> search, <kbd>e</kbd> expand, <kbd>t</kbd> light or dark.</span></footer>`;
  return toDocument(toVisibleLine(meta.prompt, 80) || meta.runId, body);
}

function toDocument(title: string, body: Markup): string {
  const policy = [
    "default-src 'none'",
    `style-src '${hashOf(style)}'`,
    `script-src '${hashOf(script)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Markup(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${new Markup(style)}</style>
</head>
<body>
${body}
<script>${new Markup(script)}</script>
</body>
</html>
`.text;
}

function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}

function renderCharts(
  { items, steps, duration }: Timeline,
  { usage }: RecordedSummary,
  cwd: string | undefined,
): Markup {
  const axis = createTimeAxis(duration);
  const hasCalls = items.some((item) => item.kind === "call");
  const busy = busyTime(items, duration);
  const share = duration === 0 ? 0 : Math.round((busy / duration) * 100);
  return html`<div class="charts">${
    hasCalls &&
    html`<figure><figcaption><h2>Time</h2> tools ran for ${formatDuration(busy)}, ${share} % of ${formatDuration(duration)}; in the gaps the model was at work</figcaption>${renderTimeChart(items, axis, cwd)}</figure>`
  }${
    (isWorthShowing(usage?.totalTokens) || steps.length > 0) &&
    html`<figure><figcaption><h2>Tokens</h2>${usage?.totalTokens !== undefined && html` ${formatCount(usage.totalTokens)} ${usage.scope === "session" ? "in the whole session" : "in all"}`}</figcaption>${usage !== undefined && renderTokenBar(usage)}${steps.length > 1 && renderTokenChart(steps, axis)}</figure>`
  }</div>`;
}

/** A total that is not known may still be made of something; none at all is nothing to draw. */
function isWorthShowing(totalTokens: number | undefined): boolean {
  return totalTokens !== undefined && totalTokens > 0;
}

function renderToolbar(items: readonly Item[]): Markup {
  const counts = new Map<Kind, number>();
  countKinds(items, counts);
  const buttons = kinds.flatMap((kind) => {
    const count = counts.get(kind.id);
    if (count === undefined) return [];
    const isOn = !("isHidden" in kind);
    return html`<button type="button" class="filter ${kind.id}" data-kind="${kind.id}" aria-pressed="${isOn ? "true" : "false"}">${kind.label} <small>${formatCount(count)}</small></button>`;
  });
  return html`<div class="toolbar needs-script" role="group" aria-label="What the timeline shows"><div class="filters">${buttons}</div><div class="tools"><input type="search" id="search" placeholder="Search" aria-label="Search in the timeline"><button type="button" id="problems" aria-pressed="false">Problems only</button><button type="button" id="expand" aria-pressed="false">Expand all</button><button type="button" id="theme" aria-label="Light or dark">◐</button><output id="shown">${formatCount(countItems(items))} items</output></div></div>`;
}

function countKinds(items: readonly Item[], counts: Map<Kind, number>): void {
  for (const item of items) {
    for (const kind of kindsOf(item)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    if (item.kind === "call") countKinds(item.children, counts);
  }
}
