import type { ComponentChildren } from "preact";
import type { RunAbout } from "../../../src/server/protocol.js";
import { hasFailed } from "../../../src/story/outcomes.js";
import type { Kind } from "../../../src/story/timeline/kinds.js";
import { countRunningCommands } from "../../../src/story/timeline/waiting.js";
import { formatCount, formatDuration, formatShortCount } from "../../../src/text/numbers.js";
import { go, type Tab } from "../router.js";
import { durationOf } from "../runs/run-line.js";
import { now } from "../ui/clock.js";
import { formatCost, wordsOfCost } from "../ui/cost.js";
import { LineCounts } from "./line-counts.js";
import { isUnderWay, showOnly, type ViewState } from "./view-state.js";

/** What the run took and did. Each figure leads to what it counts. */
export function RunFigures({ view, about }: { view: ViewState; about: RunAbout }) {
  const { model } = view.source;
  model.version.value;
  const { errors, warnings, subagents } = model.summary();
  return (
    <dl class="tiles">
      <Spent view={view} about={about} />
      <Changed view={view} />
      <CommandsRun view={view} />
      {subagents > 0 && (
        <Figure label="Subagents" onGo={() => showKind(view, "subagent")}>
          {formatCount(subagents)}
        </Figure>
      )}
      {errors.length > 0 && (
        <Figure label="Errors" onGo={() => showKind(view, "error")} isBad>
          {formatCount(errors.length)}
        </Figure>
      )}
      {warnings.length > 0 && (
        <Figure label="Warnings" onGo={() => showKind(view, "warning")}>
          {formatCount(warnings.length)}
        </Figure>
      )}
      <Figure label="Events" onGo={() => showTab(view, "raw")} title="The raw lines that they came from">
        {formatCount(model.shown)}
      </Figure>
    </dl>
  );
}

/** Time, tokens and cost. */
function Spent({ view, about }: { view: ViewState; about: RunAbout }) {
  const { model } = view.source;
  model.version.value;
  const summary = model.summary();
  const isAll = model.shown === model.events.length;
  const tokens =
    (isAll ? about.row.usage?.totalTokens : undefined) ?? summary.usage?.totalTokens ?? model.spent.tokens;
  const { costUsd: cost, costSource } =
    isAll && about.row.costUsd !== undefined
      ? about.row
      : { ...model.spent, ...summary, costUsd: model.spent.costUsd };
  const duration = isAll ? durationOf(about.row, now.value) : (model.times[model.shown - 1] ?? 0);
  return (
    <>
      <Figure
        label="Duration"
        onGo={() => {
          showOnly(view, undefined);
          showTab(view, "timeline");
        }}
      >
        {formatDuration(duration)}
      </Figure>
      {tokens !== undefined && (
        <Figure label="Tokens" title={formatCount(tokens)} onGo={() => showPart(view, "tokens")}>
          {formatShortCount(tokens)}
        </Figure>
      )}
      {cost !== undefined && (
        <Figure
          label={costSource === "estimated" ? "Cost (estimated)" : "Cost"}
          title={wordsOfCost(costSource)}
          onGo={() => showPart(view, "cost")}
        >
          {formatCost(cost, costSource)}
        </Figure>
      )}
    </>
  );
}

function Changed({ view }: { view: ViewState }) {
  const { files, moreFiles, insertions, deletions } = view.changes.value;
  const count = files.length + moreFiles;
  return (
    <Figure label="Files changed" onGo={() => showTab(view, "changes")}>
      {formatCount(count)} {count > 0 && <LineCounts insertions={insertions} deletions={deletions} />}
    </Figure>
  );
}

/** A command that is running counts as one. */
function CommandsRun({ view }: { view: ViewState }) {
  const { model } = view.source;
  model.version.value;
  const { commands } = model.summary();
  const running = isUnderWay(view) ? countRunningCommands(model.timeline.items) : 0;
  const failed = commands.filter(hasFailed).length;
  return (
    <Figure label="Commands" onGo={() => showKind(view, "command")}>
      {formatCount(commands.length + running)}
      {failed > 0 && <small class="bad"> {formatCount(failed)} failed</small>}
      {running > 0 && <small> {formatCount(running)} running</small>}
    </Figure>
  );
}

interface FigureProps {
  label: string;
  title?: string;
  isBad?: boolean;
  onGo(): void;
  children: ComponentChildren;
}

function Figure({ label, title, isBad = false, onGo, children }: FigureProps) {
  return (
    <div>
      <dt>{label}</dt>
      <dd class={isBad ? "bad" : ""}>
        <button type="button" class="link" title={title} onClick={onGo}>
          {children}
          <span class="visually-hidden"> {label}: show</span>
        </button>
      </dd>
    </div>
  );
}

function showTab({ source: { id } }: ViewState, tab: Tab): void {
  go({ page: "run", id, tab, isOpening: false });
}

/** The timeline with only one kind of entries. */
function showKind(view: ViewState, kind: Kind): void {
  showOnly(view, kind);
  showTab(view, "timeline");
}

/** A part of the overview. */
function showPart(view: ViewState, part: "tokens" | "cost"): void {
  showTab(view, "overview");
  requestAnimationFrame(() => document.getElementById(part)?.scrollIntoView({ block: "center" }));
}
