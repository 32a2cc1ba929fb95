import { createTimeAxis } from "../../../src/outputs/html/charts/time-axis.js";
import { renderTimeChart } from "../../../src/outputs/html/charts/time-chart.js";
import { renderTokenBar, renderTokenChart } from "../../../src/outputs/html/charts/token-chart.js";
import type { UsageStep } from "../../../src/story/timeline/items.js";
import { formatCount, formatDuration } from "../../../src/text/numbers.js";
import { formatCost, wordsOfCost } from "../ui/cost.js";
import { Html } from "../ui/html.js";
import { Commands } from "./commands.js";
import { CostChart } from "./cost-chart.js";
import { FileTree } from "./file-tree.js";
import type { ViewState } from "./view-state.js";

/** Charts of a run. Each bar links to its event. */
export function Pictures({ view, onEvent }: { view: ViewState; onEvent(seq: number): void }) {
  const { model, about } = view.source;
  model.version.value;
  const { timeline } = model;
  const summary = model.summary();
  const axis = createTimeAxis(timeline.duration);
  const usage = summary.usage ?? about.value?.row.usage;
  const { costUsd: cost, costSource } = summary.costUsd === undefined ? { ...about.value?.row } : summary;
  const hasCalls = timeline.items.some(({ kind }) => kind === "call");
  const follow = (event: MouseEvent): void => {
    const link = event.target instanceof Element ? event.target.closest("a[href^='#e']") : null;
    const seq = Number(link?.getAttribute("href")?.slice(2));
    if (link === null || Number.isNaN(seq)) return;
    event.preventDefault();
    onEvent(seq);
  };
  return (
    <section
      class="pictures"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      aria-label="Pictures"
    >
      <figure class="wide">
        <figcaption>
          <h2>Tool calls and subagents over time</h2> {formatDuration(timeline.duration)}
        </figcaption>
        {hasCalls ? (
          <Html markup={renderTimeChart(timeline.items, axis, view.cwd.value)} onClick={follow} />
        ) : (
          <p class="dim">No tool was called.</p>
        )}
      </figure>
      <figure class="wide">
        <figcaption>
          <h2>Tokens by class</h2> {usage?.scope === "session" && "for the whole resumed session "}
          {usage?.totalTokens !== undefined && `${formatCount(usage.totalTokens)} in all`}
        </figcaption>
        {usage === undefined && timeline.steps.length === 0 && (
          <p class="dim">The agent did not report tokens.</p>
        )}
        {usage !== undefined && <Html markup={renderTokenBar(usage)} />}
        {timeline.steps.length > 0 && <Html markup={renderTokenChart(timeline.steps, axis)} />}
        {usage !== undefined && timeline.steps.length === 0 && (
          <p class="dim">This agent reports its tokens once, for the whole run.</p>
        )}
      </figure>
      <figure>
        <figcaption>
          <h2>Cost</h2> {cost === undefined ? "" : wordsOfCost(costSource)}
        </figcaption>
        {cost === undefined ? (
          <p class="dim">The agent did not report a cost.</p>
        ) : (
          <p class="big">{formatCost(cost, costSource)}</p>
        )}
        {hasCostOverTime(timeline.steps) && <CostChart steps={timeline.steps} duration={timeline.duration} />}
      </figure>
      <figure>
        <figcaption>
          <h2>Files touched</h2> reads and writes
        </figcaption>
        <FileTree read={summary.filesRead} written={summary.filesWritten} cwd={view.cwd.value} />
      </figure>
      <figure class="wide">
        <figcaption>
          <h2>Commands</h2> {formatCount(summary.commands.length)}
        </figcaption>
        <Commands items={timeline.items} onEvent={onEvent} />
      </figure>
    </section>
  );
}

function hasCostOverTime(steps: readonly UsageStep[]): boolean {
  return steps.filter(({ usage }) => usage.costUsd !== undefined).length > 1;
}
