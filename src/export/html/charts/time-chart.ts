import { formatCount, formatDuration } from "../../text/numbers.js";
import { toVisibleLine } from "../../text/visible-text.js";
import { describeCall } from "../../timeline/describe-call.js";
import type { Item } from "../../timeline/items.js";
import { html, type Markup } from "../markup.js";
import { type Bar, type PlacedCall, toBar } from "./bar.js";
import { packCalls } from "./pack-calls.js";
import { renderTimeAxis, type TimeAxis } from "./time-axis.js";

/** With more calls than this, they share lines and lose their labels. */
const maxLabelled = 24;
const labelledHeight = 20;
const packedHeight = 12;
const indent = 10;
const labelLength = 28;

/** When each tool call and subagent ran. */
export function renderTimeChart(items: readonly Item[], axis: TimeAxis, cwd: string | undefined): Markup {
  const calls = callsOf(items, 0);
  const isLabelled = calls.length <= maxLabelled;
  const lanes = isLabelled ? calls.map((placed) => [toBar(placed.call, axis)]) : packCalls(calls, axis);
  const height = lanes.length * (isLabelled ? labelledHeight : packedHeight);
  const bars = isLabelled
    ? calls.map((placed, row) => renderLabelled(placed, row, axis, cwd))
    : lanes.flatMap((lane, row) => lane.map((bar) => renderPacked(bar, row, axis, cwd)));
  return html`<svg class="chart" width="100%" height="${height + 18}" role="group" aria-label="When each tool call ran">${renderTimeAxis(axis, height)}${bars}</svg>`;
}

function callsOf(items: readonly Item[], depth: number): PlacedCall[] {
  return items.flatMap((item) =>
    item.kind === "call" ? [{ call: item, depth }, ...callsOf(item.children, depth + 1)] : [],
  );
}

function renderLabelled(
  { call, depth }: PlacedCall,
  row: number,
  axis: TimeAxis,
  cwd: string | undefined,
): Markup {
  const bar = toBar(call, axis);
  const y = row * labelledHeight;
  const { verb, object } = describeCall(call, cwd);
  const label = toVisibleLine(`${verb} ${object}`, labelLength);
  return html`<a href="#e${call.seq}"><rect class="bar ${bar.kind}${bar.hasFailed && " failed"}" x="${axis.at(bar.start)}" y="${y + 3}" width="${axis.width(bar.end - bar.start)}" height="13" rx="2"/>${renderLabel(label, bar, axis, y, depth)}${tooltip(bar, cwd)}</a>`;
}

/** Where there is room: behind the bar, before it, or in it, and then no longer than the bar. */
function renderLabel(label: string, { start, end }: Bar, axis: TimeAxis, y: number, depth: number): Markup {
  const half = axis.duration / 2;
  const base = y + 13.5;
  if (end <= half)
    return html`<text class="label" x="${axis.at(end)}" dx="${5 + depth * indent}" y="${base}">${label}</text>`;
  if (start >= half)
    return html`<text class="label" x="${axis.at(start)}" dx="-5" y="${base}" text-anchor="end">${label}</text>`;
  return html`<svg x="${axis.at(start)}" y="${y}" width="${axis.width(end - start)}" height="${labelledHeight}"><text class="label inside" x="5" y="13.5">${label}</text></svg>`;
}

function renderPacked(bar: Bar, row: number, axis: TimeAxis, cwd: string | undefined): Markup {
  return html`<a href="#e${bar.call.seq}" tabindex="-1"><rect class="bar ${bar.kind}${bar.hasFailed && " failed"}" x="${axis.at(bar.start)}" y="${row * packedHeight + 2}" width="${axis.width(bar.end - bar.start)}" height="${packedHeight - 3}" rx="1"/>${tooltip(bar, cwd)}</a>`;
}

function tooltip(bar: Bar, cwd: string | undefined): Markup {
  const { verb, object } = describeCall(bar.call, cwd);
  const took = formatDuration(bar.end - bar.start);
  if (bar.count > 1) return html`<title>${formatCount(bar.count)} calls within ${took}</title>`;
  return html`<title>${toVisibleLine(`${verb} ${object}`, 160)}
${took}${bar.hasFailed && ", failed"}${bar.call.end === undefined && ", not finished"}</title>`;
}
