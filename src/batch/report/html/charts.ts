import { html, type Markup } from "../../../outputs/html/markup.js";
import { toVisibleLine } from "../../../text/cut.js";
import type { BatchReport, Figures } from "../schema.js";
import { describeCost, formatInterval, formatShare, formatTypicalCost } from "../words.js";

type Arm = BatchReport["arms"][number];

const nameLength = 40;

/** Positions are per cent, so that a chart follows the width of the page and words keep their size. */
function percent(value: number): string {
  return `${Number(value.toFixed(2))}%`;
}

const rowHeight = 48;
const shares = [0, 0.25, 0.5, 0.75, 1];

/** The pass rate of every arm with its interval. */
export function renderRates(arms: readonly Arm[]): Markup | false {
  const shown = arms.flatMap(({ armId, figures: { passRate } }) =>
    passRate === undefined ? [] : [{ armId, passRate }],
  );
  if (shown.length === 0) return false;
  const height = shown.length * rowHeight;
  const rows = shown.map(({ armId, passRate }, index) => {
    const y = index * rowHeight;
    const words = `${formatShare(passRate.rate)} of ${passRate.of}, interval ${formatInterval(passRate)}`;
    return html`
      <g role="img" aria-label="${armId}: ${words}">
        <text class="name" x="0" y="${y + 14}">${toVisibleLine(armId, nameLength)}</text>
        <text class="value" x="100%" y="${y + 14}" text-anchor="end">${formatShare(passRate.rate)}</text>
        <rect class="track" x="0" y="${y + 22}" width="100%" height="12" rx="3"/>
        <rect class="range" x="${percent(passRate.low * 100)}" y="${y + 22}"
          width="${percent((passRate.high - passRate.low) * 100)}" height="12" rx="3"/>
        <circle class="point" cx="${percent(passRate.rate * 100)}" cy="${y + 28}" r="5"/>
        <title>${armId}: ${words}</title>
      </g>`;
  });
  return html`
    <figure>
      <figcaption><h2>Pass rates</h2>The point is what was measured; the bar is its 95 % interval.</figcaption>
      <svg width="100%" height="${height + 16}" role="group" aria-label="Pass rate of each arm with its interval">
        ${shares.map((share) => renderShareLine(share, height))}
        ${rows}
      </svg>
    </figure>`;
}

function renderShareLine(share: number, height: number): Markup {
  const x = percent(share * 100);
  const anchor = share === 0 ? "start" : share === 1 ? "end" : "middle";
  return html`
    <line class="gridline" x1="${x}" x2="${x}" y1="18" y2="${height - 6}"/>
    <text class="tick" x="${x}" y="${height + 8}" text-anchor="${anchor}">${share * 100} %</text>`;
}

interface Placed {
  armId: string;
  number: number;
  passRate: NonNullable<Figures["passRate"]>;
  costUsd: NonNullable<Figures["costUsd"]>;
}

const plot = { left: 11, width: 84, top: 14, height: 220 };

/** What a run costs against how often it passes: the upper left is best. */
export function renderCosts(arms: readonly Arm[]): Markup | false {
  const placed = arms.flatMap(({ armId, figures: { passRate, costUsd } }, index): Placed[] =>
    passRate === undefined || costUsd === undefined ? [] : [{ armId, number: index + 1, passRate, costUsd }],
  );
  const highest = Math.max(0, ...placed.map(({ costUsd }) => costUsd.upperQuartile));
  if (placed.length < 2 || highest === 0) return false;
  const step = niceStep(highest / 4);
  const most = Math.ceil(highest / step) * step;
  const x = (cost: number): string => percent(plot.left + (plot.width * cost) / most);
  const ticks = Array.from({ length: Math.round(most / step) + 1 }, (_none, index) => index * step);
  const bottom = yOf(0);
  return html`
    <figure>
      <figcaption><h2>Cost and pass rate</h2>Median cost of a run; the upper left is best. Lines are quartiles and intervals.</figcaption>
      <svg width="100%" height="${bottom + 22}" role="group" aria-label="Cost of a run and pass rate of each arm">
        ${shares.map(
          (share) => html`
            <line class="gridline" x1="${percent(plot.left)}" x2="${percent(plot.left + plot.width)}" y1="${yOf(share)}" y2="${yOf(share)}"/>
            <text class="tick" x="${percent(plot.left - 1.5)}" y="${yOf(share) + 4}" text-anchor="end">${share * 100} %</text>`,
        )}
        ${ticks.map((cost) => html`<text class="tick" x="${x(cost)}" y="${bottom + 16}" text-anchor="middle">${cost === 0 ? "$0" : formatTypicalCost(cost)}</text>`)}
        ${placed.map((arm) => renderPoint(arm, x))}
      </svg>
      <ol class="legend">${placed.map(
        ({ number, armId, passRate, costUsd }) => html`
        <li><b>${number} ${toVisibleLine(armId, nameLength)}</b> ${formatShare(passRate.rate)}, ${describeCost(costUsd)}</li>`,
      )}</ol>
    </figure>`;
}

function yOf(share: number): number {
  return Number((plot.top + (1 - share) * plot.height).toFixed(1));
}

function renderPoint({ armId, number, passRate, costUsd }: Placed, x: (cost: number) => string): Markup {
  const at = x(costUsd.median);
  const y = yOf(passRate.rate);
  const words = `${armId}: ${formatShare(passRate.rate)}, ${describeCost(costUsd)}`;
  return html`
    <g role="img" aria-label="${words}">
      <line class="whisker" x1="${at}" x2="${at}" y1="${yOf(passRate.low)}" y2="${yOf(passRate.high)}"/>
      <line class="whisker" x1="${x(costUsd.lowerQuartile)}" x2="${x(costUsd.upperQuartile)}" y1="${y}" y2="${y}"/>
      <circle class="point" cx="${at}" cy="${y}" r="9"/>
      <text class="number" x="${at}" y="${y + 4}">${number}</text>
      <title>${words}</title>
    </g>`;
}

/** 1, 2 or 5 times a power of ten. */
function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return power * ([1, 2, 5, 10].find((factor) => factor * power >= least) ?? 10);
}
