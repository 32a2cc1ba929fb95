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
import { type ViewState, watchRun } from "./view-state.js";

interface OverviewProps {
  view: ViewState;
  onEvent(seq: number): void;
}

/** Why it failed, what it changed and ran, and charts of its time, tokens and cost. Each entry and bar links to its event. */
export function Overview({ view, onEvent }: OverviewProps) {
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
      <CommandsRun view={view} onEvent={onEvent} />
      <OverTime view={view} onEvent={onEvent} />
      <Tokens view={view} />
      <Cost view={view} />
      <Nothing view={view} />
    </section>
  );
}

/** What did not happen, in one line instead of empty parts. */
function Nothing({ view }: { view: ViewState }) {
  watchRun(view);
  const { model } = view.source;
  const { timeline } = model;
  const { commands, filesRead, filesWritten } = model.summary();
  const missing = [
    view.changes.value.files.length === 0 && "No file was changed.",
    filesRead.length + filesWritten.length === 0 && "No file was touched.",
    commands.length === 0 && "No command was run.",
    !timeline.items.some(({ kind }) => kind === "call") && "No tool was called.",
  ].filter((words) => words !== false);
  return missing.length === 0 ? null : <p class="nothing dim">{missing.join(" ")}</p>;
}

function CommandsRun({ view, onEvent }: OverviewProps) {
  watchRun(view);
  const { model } = view.source;
  const { commands } = model.summary();
  if (commands.length === 0) return null;
  return (
    <figure class="wide" id="commands">
      <figcaption>
        <h2>Commands</h2> {formatCount(commands.length)}
      </figcaption>
      <Commands items={model.timeline.items} onEvent={onEvent} />
    </figure>
  );
}

function Changed({ view }: { view: ViewState }) {
  const { files, insertions, deletions, moreFiles, root } = view.changes.value;
  if (files.length === 0) return null;
  const { id } = view.source;
  return (
    <figure id="changed">
      <figcaption>
        <h2>Files changed</h2>{" "}
        <a href={toHash({ page: "run", id, tab: "changes" })}>
          {formatNumberOf(files.length + moreFiles, "file")}{" "}
          <LineCounts insertions={insertions} deletions={deletions} />
        </a>
      </figcaption>
      <FileTree
        files={files.map((file) => ({ path: file.path, counts: [file.insertions, file.deletions] }))}
        cwd={root}
        empty=""
        counts={([added, removed]) => <LineCounts insertions={added} deletions={removed} />}
      />
    </figure>
  );
}

function Touched({ view }: { view: ViewState }) {
  watchRun(view);
  const { filesRead, filesWritten } = view.source.model.summary();
  if (filesRead.length + filesWritten.length === 0) return null;
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
        empty=""
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
  watchRun(view);
  const { timeline } = view.source.model;
  if (!timeline.items.some(({ kind }) => kind === "call")) return null;
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
      <Html
        markup={renderTimeChart(timeline.items, createTimeAxis(timeline.duration), view.cwd.value)}
        onClick={follow}
      />
    </figure>
  );
}

function Tokens({ view }: { view: ViewState }) {
  watchRun(view);
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
  watchRun(view);
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
