import type { ComponentChildren } from "preact";
import type { RunAbout } from "../../../src/server/protocol.js";
import { type FigureFacts, figuresOf, type RunFigure } from "../../../src/story/run-figures.js";
import type { Kind } from "../../../src/story/timeline/kinds.js";
import { countRunningCommands } from "../../../src/story/timeline/waiting.js";
import { formatCount } from "../../../src/text/numbers.js";
import { go, type Tab } from "../router.js";
import { durationOf } from "../runs/run-line.js";
import { now } from "../ui/clock.js";
import { isUnderWay, showOnly, type ViewState } from "./view-state.js";

/** What the run took and did. Each figure leads to what it counts. */
export function RunFigures({ view, about }: { view: ViewState; about: RunAbout }) {
  const { model } = view.source;
  model.version.value;
  return (
    <dl class="tiles">
      {figuresOf(factsOf(view, about)).map(({ id, label, value, exact, source, notes }) => (
        <Figure
          key={id}
          label={label}
          title={exact ?? source}
          isBad={id === "errors"}
          onGo={() => ways[id](view)}
        >
          {value}
          {notes.map(({ words, tone }) => (
            <small key={words} class={tone}>
              {" "}
              {words}
            </small>
          ))}
        </Figure>
      ))}
      <Figure label="Events" onGo={() => showTab(view, "raw")} title="The raw lines that they came from">
        {formatCount(model.shown)}
      </Figure>
    </dl>
  );
}

/** During a replay, and while it runs, it is what is known so far. */
function factsOf(view: ViewState, { row }: RunAbout): FigureFacts {
  const { model } = view.source;
  const summary = model.summary();
  const isAll = model.shown === model.events.length;
  const { costUsd, costSource } =
    isAll && row.costUsd !== undefined ? row : { ...model.spent, ...summary, costUsd: model.spent.costUsd };
  const { files, moreFiles, insertions, deletions } = view.changes.value;
  return {
    summary,
    durationMs: isAll ? durationOf(row, now.value) : (model.times[model.shown - 1] ?? 0),
    tokens: (isAll ? row.usage?.totalTokens : undefined) ?? summary.usage?.totalTokens ?? model.spent.tokens,
    isWholeSession: (row.usage ?? summary.usage)?.scope === "session",
    costUsd,
    costSource,
    changes: { files: files.length + moreFiles, insertions, deletions },
    running: isUnderWay(view) ? countRunningCommands(model.timeline.items) : 0,
  };
}

/** Where each figure leads. */
const ways: Record<RunFigure["id"], (view: ViewState) => void> = {
  duration(view) {
    showOnly(view, undefined);
    showTab(view, "timeline");
  },
  tokens: (view) => showPart(view, "tokens"),
  cost: (view) => showPart(view, "cost"),
  turns: (view) => showKind(view, "turn"),
  changes: (view) => showTab(view, "changes"),
  commands: (view) => showKind(view, "command"),
  subagents: (view) => showKind(view, "subagent"),
  errors: (view) => showKind(view, "error"),
  warnings: (view) => showKind(view, "warning"),
};

interface FigureProps {
  label: string;
  title?: string | undefined;
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
