import { describeCall } from "../../../story/timeline/describe-call.js";
import type { Item } from "../../../story/timeline/items.js";
import { toVisibleLine } from "../../../text/cut.js";
import { formatCount, formatDuration } from "../../../text/numbers.js";
import { html, type Markup } from "../markup.js";
import { type Bar, type PlacedCall, toBar } from "./bar.js";
import { type Lane, toLanes } from "./lanes.js";
import { renderTimeAxis, type TimeAxis } from "./time-axis.js";

/** With more calls than this, those of a kind share a lane. */
const maxRows = 24;
const rowHeight = 20;
const laneHeight = 30;
const indent = 10;
const labelLength = 28;

/** When each tool call and subagent ran. */
export function renderTimeChart(items: readonly Item[], axis: TimeAxis, cwd: string | undefined): Markup {
  const calls = callsOf(items, 0);
  if (calls.length <= maxRows)
    return renderChart(
      axis,
      calls.length * rowHeight,
      calls.map((call, row) => renderRow(call, row, axis, cwd)),
    );
  const lanes = toLanes(calls, axis);
  return renderChart(
    axis,
    lanes.length * laneHeight,
    lanes.map((lane, row) => renderLane(lane, row, axis, cwd)),
  );
}

function renderChart(axis: TimeAxis, height: number, bars: readonly Markup[]): Markup {
  return html`
    <svg class="chart" width="100%" height="${height + 18}" role="group" aria-label="When each tool call ran">
      ${renderTimeAxis(axis, height)}${bars}
    </svg>`;
}

function callsOf(items: readonly Item[], depth: number): PlacedCall[] {
  return items.flatMap((item) =>
    item.kind === "call" ? [{ call: item, depth }, ...callsOf(item.children, depth + 1)] : [],
  );
}

function renderRow(
  { call, depth }: PlacedCall,
  row: number,
  axis: TimeAxis,
  cwd: string | undefined,
): Markup {
  const bar = toBar(call, axis);
  const y = row * rowHeight;
  const { verb, object } = describeCall(call, cwd);
  const label = toVisibleLine(`${verb} ${object}`, labelLength);
  return html`
    <a href="#e${call.seq}">
      ${renderBar(bar, axis, { y: y + 3, height: 13 })}
      ${renderLabel(label, bar, axis, y, depth)}
      ${tooltip(bar, cwd)}
    </a>`;
}

function renderBar(bar: Bar, axis: TimeAxis, place: { y: number; height: number }): Markup {
  const { y, height } = place;
  const [x, width] = [axis.at(bar.start), axis.width(bar.end - bar.start)];
  const failed = bar.hasFailed && " failed";
  return html`<rect class="bar ${bar.kind}${failed}" x="${x}" y="${y}" width="${width}" height="${height}" rx="1.5"/>`;
}

/** Where there is room: behind the bar, before it, or in it, and then no longer than the bar. */
function renderLabel(label: string, { start, end }: Bar, axis: TimeAxis, y: number, depth: number): Markup {
  const half = axis.duration / 2;
  const base = y + 13.5;
  const isShort = end - start < axis.duration / 4;
  if (end <= half || (isShort && start < half)) {
    const shift = 5 + depth * indent;
    return html`<text class="label" x="${axis.at(end)}" dx="${shift}" y="${base}">${label}</text>`;
  }
  if (start >= half)
    return html`<text class="label" x="${axis.at(start)}" dx="-5" y="${base}" text-anchor="end">${label}</text>`;
  return html`
    <svg x="${axis.at(start)}" y="${y}" width="${axis.width(end - start)}" height="${rowHeight}">
      <text class="label inside" x="5" y="13.5">${label}</text>
    </svg>`;
}

function renderLane(lane: Lane, row: number, axis: TimeAxis, cwd: string | undefined): Markup {
  const y = row * laneHeight;
  const failures = lane.failures === 0 ? "" : `, ${formatCount(lane.failures)} failed`;
  const words = `${lane.label} ${formatCount(lane.count)}${failures}, ${formatDuration(lane.took)}`;
  const bars = lane.bars.map(
    (bar) => html`
      <a href="#e${bar.call.seq}" tabindex="-1">
        ${renderBar(bar, axis, { y: y + 15, height: 10 })}${tooltip(bar, cwd)}
      </a>`,
  );
  return html`<g class="lane"><text class="label" x="0" y="${y + 11}">${words}</text>${bars}</g>`;
}

function tooltip(bar: Bar, cwd: string | undefined): Markup {
  const took = formatDuration(bar.end - bar.start);
  if (bar.count > 1) return html`<title>${formatCount(bar.count)} calls within ${took}</title>`;
  const { verb, object } = describeCall(bar.call, cwd);
  const facts = [
    took,
    ...(bar.hasFailed ? ["failed"] : []),
    ...(bar.call.end === undefined ? ["not finished"] : []),
  ];
  return html`<title>${toVisibleLine(`${verb} ${object}`, 160)}${"\n"}${facts.join(", ")}</title>`;
}
