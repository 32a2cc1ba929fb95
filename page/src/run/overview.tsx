import { createTimeAxis } from "../../../src/outputs/html/charts/time-axis.js";
import { renderTimeChart } from "../../../src/outputs/html/charts/time-chart.js";
import { renderTokenBar, renderTokenChart } from "../../../src/outputs/html/charts/token-chart.js";
import type { UsageStep } from "../../../src/story/timeline/items.js";
import { formatCount, formatDuration, formatNumberOf } from "../../../src/text/numbers.js";
import { toHash } from "../router.js";
import { formatCost, wordsOfCost } from "../ui/cost.js";
import { Html } from "../ui/html.js";
import { Commands } from "./commands.js";
import { CostChart } from "./cost-chart.js";
import { FailurePanel } from "./failure-panel.js";
import { FileTree } from "./file-tree.js";
import { LineCounts } from "./line-counts.js";
import type { ViewState } from "./view-state.js";

interface OverviewProps {
  view: ViewState;
  onEvent(seq: number): void;
}

/** Why it failed, what it changed and ran, and charts of its time, tokens and cost. Each entry and bar links to its event. */
export function Overview({ view, onEvent }: OverviewProps) {
  const { model } = view.source;
  model.version.value;
  return (
    <section
      class="overview"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      aria-label="Overview"
    >
      <FailurePanel view={view} onEvent={onEvent} />
      <Changed view={view} />
      <Touched view={view} />
      <figure class="wide" id="commands">
        <figcaption>
          <h2>Commands</h2> {formatCount(model.summary().commands.length)}
        </figcaption>
        <Commands items={model.timeline.items} onEvent={onEvent} />
      </figure>
      <OverTime view={view} onEvent={onEvent} />
      <Tokens view={view} />
      <Cost view={view} />
    </section>
  );
}

function Changed({ view }: { view: ViewState }) {
  const { files, insertions, deletions, moreFiles, root } = view.changes.value;
  const { id } = view.source;
  return (
    <figure id="changed">
      <figcaption>
        <h2>Files changed</h2>{" "}
        {files.length > 0 && (
          <a href={toHash({ page: "run", id, tab: "changes" })}>
            {formatNumberOf(files.length + moreFiles, "file")}{" "}
            <LineCounts insertions={insertions} deletions={deletions} />
          </a>
        )}
      </figcaption>
      <FileTree
        files={files.map((file) => ({ path: file.path, counts: [file.insertions, file.deletions] }))}
        cwd={root}
        empty="No file was changed."
        counts={([added, removed]) => <LineCounts insertions={added} deletions={removed} />}
      />
    </figure>
  );
}

function Touched({ view }: { view: ViewState }) {
  const { filesRead, filesWritten } = view.source.model.summary();
  const files = [
    ...filesRead.map(({ path, count }) => ({ path, counts: [count, 0] as const })),
    ...filesWritten.map(({ path, count }) => ({ path, counts: [0, count] as const })),
  ];
  return (
    <figure class="touched">
      <figcaption>
        <h2>Files touched</h2> reads and writes
      </figcaption>
      <FileTree
        files={files}
        cwd={view.cwd.value}
        empty="No file was touched."
        counts={([reads, writes]) => (
          <>
            {reads > 0 && (
              <span class="reads" title={`read ${reads} times`}>
                {reads} R
              </span>
            )}
            {writes > 0 && (
              <span class="writes" title={`written ${writes} times`}>
                {writes} W
              </span>
            )}
          </>
        )}
      />
    </figure>
  );
}

function OverTime({ view, onEvent }: OverviewProps) {
  const { timeline } = view.source.model;
  const hasCalls = timeline.items.some(({ kind }) => kind === "call");
  const follow = (event: MouseEvent): void => {
    const link = event.target instanceof Element ? event.target.closest("a[href^='#e']") : null;
    const seq = Number(link?.getAttribute("href")?.slice(2));
    if (link === null || Number.isNaN(seq)) return;
    event.preventDefault();
    onEvent(seq);
  };
  return (
    <figure class="wide">
      <figcaption>
        <h2>Tool calls and subagents over time</h2> {formatDuration(timeline.duration)}
      </figcaption>
      {hasCalls ? (
        <Html
          markup={renderTimeChart(timeline.items, createTimeAxis(timeline.duration), view.cwd.value)}
          onClick={follow}
        />
      ) : (
        <p class="dim">No tool was called.</p>
      )}
    </figure>
  );
}

function Tokens({ view }: { view: ViewState }) {
  const { model, about } = view.source;
  const { timeline } = model;
  const usage = model.summary().usage ?? about.value?.row.usage;
  const hasSteps = timeline.steps.length > 0;
  return (
    <figure class="wide" id="tokens">
      <figcaption>
        <h2>Tokens by class</h2> {usage?.scope === "session" && "for the whole resumed session "}
        {usage?.totalTokens !== undefined && `${formatCount(usage.totalTokens)} in all`}
      </figcaption>
      {usage === undefined && !hasSteps && <p class="dim">The agent did not report tokens.</p>}
      {usage !== undefined && <Html markup={renderTokenBar(usage)} />}
      {hasSteps && <Html markup={renderTokenChart(timeline.steps, createTimeAxis(timeline.duration))} />}
      {usage !== undefined && !hasSteps && (
        <p class="dim">This agent reports its tokens once, for the whole run.</p>
      )}
    </figure>
  );
}

function Cost({ view }: { view: ViewState }) {
  const { model, about } = view.source;
  const { timeline } = model;
  const summary = model.summary();
  const { costUsd: cost, costSource } = summary.costUsd === undefined ? { ...about.value?.row } : summary;
  return (
    <figure class="wide" id="cost">
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
  );
}

function hasCostOverTime(steps: readonly UsageStep[]): boolean {
  return steps.filter(({ usage }) => usage.costUsd !== undefined).length > 1;
}
