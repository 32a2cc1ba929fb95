import type { StopReason } from "../../../src/events/recording-meta.js";
import type { RunAbout } from "../../../src/server/protocol.js";
import { promptOf } from "../../../src/story/run-record.js";
import { cleanText } from "../../../src/text/clean-text.js";
import { cutText, toVisibleLine } from "../../../src/text/cut.js";
import { toHash } from "../router.js";
import { postJson, runPath } from "../server/api.js";
import { findRow } from "../server/live-runs.js";
import { toMoment } from "../ui/clock.js";
import { OutcomeBadge } from "../ui/outcome.js";
import { say } from "../ui/toast.js";
import { hasFailedRun } from "./failure-panel.js";
import { RunFigures } from "./figures.js";
import type { ViewState } from "./view-state.js";

const shownPrompt = 300;

export function RunHead({ view }: { view: ViewState }) {
  const about = view.source.about.value;
  if (about === undefined) return <header class="run-head loading">Loading…</header>;
  const { row } = about;
  view.source.model.version.value;
  const prompt = cleanText(promptOf({ meta: about, events: view.source.model.events })).trim();
  return (
    <header class="run-head">
      <Prompt prompt={prompt} />
      <p class="facts">
        {view.isReplaying.value && <span class="badge replaying">Replay</span>}
        <OutcomeOf view={view} about={about} />
        <b>{[row.agent, row.agentVersion].filter((part) => part !== undefined).join(" ")}</b>
        <Model view={view} about={about} />
        <span class="cwd" dir="auto" title={view.cwd.value}>
          {toVisibleLine(view.cwd.value, 120)}
        </span>
        {about.permissions !== "" && <span>{toVisibleLine(about.permissions.replaceAll("-", " "), 40)}</span>}
        <time dateTime={row.startedAt}>{toMoment(row.startedAt)}</time>
        {row.isImported === true && <span class="chip">imported</span>}
        {row.batch !== undefined && (
          <a class="chip" href={toHash({ page: "batch", id: row.batch.id, cell: row.batch.cell })}>
            Batch {toVisibleLine(row.batch.id, 40)}
          </a>
        )}
        <CancelButton view={view} />
      </p>
      {about.isUnknownAgent === true && (
        <p class="note">
          The agent “{row.agent}” is not known here, so its output is shown like that of any program.
        </p>
      )}
      {about.problem !== undefined && <p class="note">{about.problem}</p>}
      <RunFigures view={view} about={about} />
    </header>
  );
}

/** One line. A longer prompt is unfolded below it. */
function Prompt({ prompt }: { prompt: string }) {
  const title = toVisibleLine(prompt, shownPrompt) || "A run without a prompt";
  const isLong = prompt.length > shownPrompt || prompt.includes("\n");
  if (!isLong)
    return (
      <h1 dir="auto" title={title}>
        {title}
      </h1>
    );
  return (
    <details class="whole-prompt">
      <summary>
        <h1 dir="auto">{title}</h1>
      </summary>
      <pre dir="auto">{cutText(prompt, 100_000).head}</pre>
    </details>
  );
}

/** The outcome. That of a run that failed leads to the reason. */
function OutcomeOf({ view, about }: { view: ViewState; about: RunAbout }) {
  const { outcome, failure } = about.row;
  const badge = <OutcomeBadge outcome={outcome} stopping={stoppingOf(view)} />;
  if (!hasFailedRun(about)) return badge;
  const kind = failure === undefined || failure.kind === outcome ? undefined : failure.kind;
  return (
    <a class="outcome-link" href={toHash({ page: "run", id: view.source.id, tab: "overview" })} title="Why">
      {badge}
      {kind !== undefined && (
        <span class={`reason ${outcome}`}>{toVisibleLine(kind.replaceAll("_", " "), 40)}</span>
      )}
    </a>
  );
}

function Model({ view, about }: { view: ViewState; about: RunAbout }) {
  view.source.model.version.value;
  const model = about.row.model ?? view.source.model.summary().model;
  return model === undefined ? null : <span>{toVisibleLine(model, 80)}</span>;
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
    return findRow(id)?.isAnswerable ? null : <small class="dim">started elsewhere: stop it there</small>;
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
