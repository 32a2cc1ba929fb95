import type { StopReason } from "../../../src/events/recording-meta.js";
import type { RunAbout } from "../../../src/server/protocol.js";
import { hasFailed, nextStepOf } from "../../../src/story/outcomes.js";
import { promptOf } from "../../../src/story/run-record.js";
import { cleanText } from "../../../src/text/clean-text.js";
import { cutText, toVisibleLine } from "../../../src/text/cut.js";
import { formatCount, formatDuration, formatShortCount } from "../../../src/text/numbers.js";
import { toHash } from "../router.js";
import { durationOf } from "../runs/run-line.js";
import { postJson, runPath } from "../server/api.js";
import { findRow } from "../server/live-runs.js";
import { now, toMoment } from "../ui/clock.js";
import { formatCost, wordsOfCost } from "../ui/cost.js";
import { OutcomeBadge } from "../ui/outcome.js";
import { say } from "../ui/toast.js";
import type { ViewState } from "./view-state.js";

const shownPrompt = 160;

export function RunHead({ view }: { view: ViewState }) {
  const about = view.source.about.value;
  if (about === undefined) return <header class="run-head loading">Loading…</header>;
  const { row } = about;
  view.source.model.version.value;
  const prompt = cleanText(promptOf({ meta: about, events: view.source.model.events })).trim();
  const isLong = prompt.length > shownPrompt || prompt.includes("\n");
  const failure = row.failure;
  const nextStep = nextStepOf(failure);
  return (
    <header class="run-head">
      <p class="facts">
        {view.isReplaying.value && <span class="badge replaying">Replay</span>}
        <OutcomeBadge outcome={row.outcome} stopping={stoppingOf(view)} />
        <b>{[row.agent, row.agentVersion].filter((part) => part !== undefined).join(" ")}</b>
        <Model view={view} about={about} />
        <span class="cwd" dir="auto">
          {toVisibleLine(view.cwd.value, 120)}
        </span>
        {about.permissions !== "" && <span>{toVisibleLine(about.permissions.replaceAll("-", " "), 40)}</span>}
        <time dateTime={row.startedAt}>{toMoment(row.startedAt)}</time>
        {row.batch !== undefined && (
          <a class="chip" href={toHash({ page: "batch", id: row.batch.id, cell: row.batch.cell })}>
            Batch {toVisibleLine(row.batch.id, 40)}
          </a>
        )}
        <CancelButton view={view} />
      </p>
      <h1 dir="auto">{toVisibleLine(prompt, shownPrompt) || "A run without a prompt"}</h1>
      {isLong && (
        <details class="part">
          <summary>The whole prompt</summary>
          <pre dir="auto">{cutText(prompt, 100_000).head}</pre>
        </details>
      )}
      {failure !== undefined && failure.kind !== "cancelled" && row.outcome !== "running" && (
        <p class="failure" role="note">
          <b>{failure.kind.replaceAll("_", " ")}</b>{" "}
          <span dir="auto">{cleanText(failure.message).slice(0, 2000)}</span>
          {nextStep !== undefined && <span class="next">{toVisibleLine(nextStep, 400)}</span>}
        </p>
      )}
      {about.isUnknownAgent === true && (
        <p class="note">
          The agent “{row.agent}” is not known here, so its output is shown like that of any program.
        </p>
      )}
      {about.problem !== undefined && <p class="note">{about.problem}</p>}
      <Tiles view={view} about={about} />
    </header>
  );
}

function Model({ view, about }: { view: ViewState; about: RunAbout }) {
  view.source.model.version.value;
  const model = about.row.model ?? view.source.model.summary().model;
  return model === undefined ? null : <span>{toVisibleLine(model, 80)}</span>;
}

function Tiles({ view, about }: { view: ViewState; about: RunAbout }) {
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
  const failed = summary.commands.filter(hasFailed).length;
  const duration = isAll ? durationOf(about.row, now.value) : (model.times[model.shown - 1] ?? 0);
  return (
    <dl class="tiles">
      <Tile label="Duration" value={formatDuration(duration)} />
      {tokens !== undefined && (
        <Tile label="Tokens" value={formatShortCount(tokens)} title={formatCount(tokens)} />
      )}
      {cost !== undefined && (
        <Tile
          label={costSource === "estimated" ? "Cost (estimated)" : "Cost"}
          value={formatCost(cost, costSource)}
          title={wordsOfCost(costSource)}
        />
      )}
      <Tile label="Files changed" value={formatCount(summary.filesWritten.length)} />
      <Tile
        label="Commands"
        value={formatCount(summary.commands.length)}
        note={failed > 0 ? `${formatCount(failed)} failed` : ""}
      />
      {summary.subagents > 0 && <Tile label="Subagents" value={formatCount(summary.subagents)} />}
      <Tile label="Events" value={formatCount(model.shown)} />
    </dl>
  );
}

function Tile({
  label,
  value,
  note = "",
  title,
}: {
  label: string;
  value: string;
  note?: string;
  title?: string;
}) {
  return (
    <div title={title}>
      <dt>{label}</dt>
      <dd>
        {value} {note !== "" && <small>{note}</small>}
      </dd>
    </div>
  );
}

/** Why a run under way is being stopped. The list knows it first: the run's own stream has it only at the start and the end. */
function stoppingOf({ source: { id, about }, hasAskedToStop }: ViewState): StopReason | undefined {
  const row = about.value?.row;
  if (row?.outcome !== "running") return undefined;
  return findRow(id)?.stopping ?? row.stopping ?? (hasAskedToStop.value ? "cancelled" : undefined);
}

/** The first press stops the run, the second kills it, as Ctrl-C does. */
function CancelButton({ view }: { view: ViewState }) {
  const { id, about } = view.source;
  if (about.value?.row.outcome !== "running") return null;
  if (!(findRow(id)?.isOurs ?? about.value.row.isOurs))
    return <small class="dim">started elsewhere: stop it there</small>;
  const isStopping = stoppingOf(view) !== undefined;
  const cancel = async (event: MouseEvent): Promise<void> => {
    // A double click counts as one press.
    if (event.detail > 1) return;
    view.hasAskedToStop.value = true;
    await postJson(`${runPath(id)}/cancel`).catch((error: Error) => {
      view.hasAskedToStop.value = false;
      say(error.message, true);
    });
  };
  return (
    <button type="button" class="danger" onClick={(event) => void cancel(event)}>
      {isStopping ? "Kill" : "Cancel"}
    </button>
  );
}
