import type { TokenCounts } from "../../../events/usage.js";
import type { UsageStep } from "../../../story/timeline/items.js";
import { formatCount, formatShortCount } from "../../../text/numbers.js";
import { html, type Markup } from "../markup.js";
import { percent, renderTimeAxis, type TimeAxis } from "./time-axis.js";
import { generatedClasses, sentClasses, type TokenClass } from "./token-classes.js";

/** Requests that are closer than this share of the run are one column. */
const columns = 60;
const columnWidth = 100 / columns;
const panelHeight = 64;

/** The whole run's tokens as one bar, with what each class comes to. */
export function renderTokenBar(usage: TokenCounts): Markup {
  const classes = [...sentClasses, ...generatedClasses].flatMap((tokenClass) => {
    const count = tokenClass.count(usage);
    return count === undefined ? [] : [{ ...tokenClass, tokens: count }];
  });
  const total = classes.reduce((sum, { tokens }) => sum + tokens, 0);
  let x = 0;
  const parts = classes.map(({ id, label, tokens }) => {
    const width = total === 0 ? 0 : (tokens / total) * 100;
    const part = html`
      <rect class="tokens ${id}" x="${percent(x)}" y="0" width="${percent(width)}" height="14">
        <title>${label}: ${formatCount(tokens)}</title>
      </rect>`;
    x += width;
    return part;
  });
  const legend = classes.map(
    ({ id, label, tokens }) =>
      html`<li><span class="swatch ${id}"></span>${label} <b>${formatCount(tokens)}</b></li>`,
  );
  return html`
    <svg class="chart bar-only" width="100%" height="14" role="img" aria-label="Tokens by class">${parts}</svg>
    <ul class="legend">${legend}</ul>`;
}

/** Tokens by class over time: what was sent above, what was generated below, each to its own scale. */
export function renderTokenChart(steps: readonly UsageStep[], axis: TimeAxis): Markup {
  const sums = sumByColumn(steps, axis);
  const top = renderPanel("sent", sentClasses, sums, 0);
  const bottom = renderPanel("generated", generatedClasses, sums, panelHeight + 22);
  const height = 2 * panelHeight + 22 + 16;
  return html`
    <svg class="chart" width="100%" height="${height + 18}" role="group" aria-label="Tokens over time">
      ${renderTimeAxis(axis, height)}${top}${bottom}
    </svg>`;
}

type Sums = Map<number, Map<TokenClass, number>>;

function sumByColumn(steps: readonly UsageStep[], axis: TimeAxis): Sums {
  const sums: Sums = new Map();
  for (const { time, usage } of steps) {
    const column = Math.min(columns - 1, Math.floor((time / axis.duration) * columns));
    const sum = sums.get(column) ?? new Map<TokenClass, number>();
    sums.set(column, sum);
    for (const tokenClass of [...sentClasses, ...generatedClasses])
      addTo(sum, tokenClass, tokenClass.count(usage));
  }
  return sums;
}

/** What was never reported is not 0. */
function addTo(sum: Map<TokenClass, number>, tokenClass: TokenClass, tokens: number | undefined): void {
  if (tokens !== undefined) sum.set(tokenClass, (sum.get(tokenClass) ?? 0) + tokens);
}

function renderPanel(name: string, classes: readonly TokenClass[], sums: Sums, y: number): Markup {
  const totals = Array.from(sums.values(), (sum) =>
    classes.reduce((all, one) => all + (sum.get(one) ?? 0), 0),
  );
  const highest = Math.max(1, ...totals);
  const bottom = y + 16 + panelHeight;
  const stacks = Array.from(sums, ([column, sum]) => renderStack(classes, column, sum, { bottom, highest }));
  return html`
    <text class="label" x="0" y="${y + 11}">${name}, up to ${formatShortCount(highest)} at a time</text>
    <line class="grid" x1="0" x2="100%" y1="${bottom}" y2="${bottom}"/>
    ${stacks}`;
}

function renderStack(
  classes: readonly TokenClass[],
  column: number,
  sum: ReadonlyMap<TokenClass, number>,
  { bottom, highest }: { bottom: number; highest: number },
): Markup {
  const known = classes.flatMap((tokenClass) => {
    const tokens = sum.get(tokenClass);
    return tokens === undefined ? [] : [{ ...tokenClass, tokens }];
  });
  const x = percent((column + 0.1) * columnWidth);
  const width = percent(columnWidth * 0.8);
  let top = bottom;
  const parts = known.map(({ id, tokens }) => {
    const height = (tokens / highest) * panelHeight;
    top -= height;
    return html`<rect class="tokens ${id}" x="${x}" y="${top.toFixed(2)}" width="${width}" height="${height.toFixed(2)}"/>`;
  });
  const words = known.map(({ label, tokens }) => `${label} ${formatCount(tokens)}`);
  return html`<g>${parts}<title>${words.join("\n")}</title></g>`;
}
