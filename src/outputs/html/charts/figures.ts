import type { RecordedSummary } from "../../../story/recorded-summary.js";
import type { Item, Timeline } from "../../../story/timeline/items.js";
import { formatCount, formatDuration } from "../../../text/numbers.js";
import { busyTime } from "../busy-time.js";
import { html, type Markup } from "../markup.js";
import { createTimeAxis, type TimeAxis } from "./time-axis.js";
import { renderTimeChart } from "./time-chart.js";
import { renderTokenBar, renderTokenChart } from "./token-chart.js";

/** When the tools ran and what the model used, on the same time axis. A log without times shows only the sums. */
export function renderFigures(timeline: Timeline, summary: RecordedSummary, cwd: string): Markup {
  const axis = createTimeAxis(timeline.duration);
  return html`
    <div class="charts">
      ${timeline.duration > 0 && renderTimeFigure(timeline.items, axis, cwd)}
      ${renderTokenFigure(timeline, summary, axis)}
    </div>`;
}

function renderTimeFigure(items: readonly Item[], axis: TimeAxis, cwd: string): Markup | false {
  if (!items.some((item) => item.kind === "call")) return false;
  return html`
    <figure>
      <figcaption><h2>Time</h2>${describeTime(items, axis.duration)}</figcaption>
      ${renderTimeChart(items, axis, cwd)}
    </figure>`;
}

/** Some agents report a call only when it is over: how long their tools ran is not known. */
function describeTime(items: readonly Item[], duration: number): string {
  const busy = busyTime(items, duration);
  const share = Math.round((busy / duration) * 100);
  if (busy === 0) return "";
  return ` tools ran for ${formatDuration(busy)}, ${share} % of ${formatDuration(duration)}; in the gaps the model was at work`;
}

function renderTokenFigure(
  { steps, duration }: Timeline,
  { usage }: RecordedSummary,
  axis: TimeAxis,
): Markup | false {
  const hasTimes = duration > 0;
  const total = usage?.totalTokens ?? 0;
  if (total === 0 && (steps.length === 0 || !hasTimes)) return false;
  const scope = usage?.scope === "session" ? "in the whole session" : "in all";
  return html`
    <figure>
      <figcaption><h2>Tokens</h2>${total > 0 && ` ${formatCount(total)} ${scope}`}</figcaption>
      ${usage !== undefined && renderTokenBar(usage)}
      ${steps.length > 1 && hasTimes && renderTokenChart(steps, axis)}
    </figure>`;
}
