import type { ComponentChildren } from "preact";
import type { Failure } from "../../../src/events/failure.js";
import type { RunAbout } from "../../../src/server/protocol.js";
import { titleOfFailure } from "../../../src/story/explain-failure.js";
import { nextStepOf } from "../../../src/story/outcomes.js";
import { isSpoken } from "../../../src/story/timeline/describe-item.js";
import type { Item } from "../../../src/story/timeline/items.js";
import { cleanText } from "../../../src/text/clean-text.js";
import { toVisibleLine } from "../../../src/text/cut.js";
import { formatExactOffset, formatNumberOf } from "../../../src/text/numbers.js";
import { toHash } from "../router.js";
import { now, toMoment } from "../ui/clock.js";
import { Headline } from "./item-parts.js";
import { LineCounts } from "./line-counts.js";
import { RunAgain } from "./run-again.js";
import { type ViewState, watchRun } from "./view-state.js";

interface FailurePanelProps {
  view: ViewState;
  onEvent(seq: number): void;
}

/** Why a run did not succeed, in one place: what it means, what to do next, what happened last, and what it changed. */
export function FailurePanel({ view, onEvent }: FailurePanelProps) {
  const about = view.source.about.value;
  if (about === undefined || !hasFailedRun(about)) return null;
  const { outcome, failure } = about.row;
  return (
    <section class={`failure-panel ${outcome}`} aria-label="Why it failed">
      <h2>{titleOfFailure(outcome, failure?.kind)}</h2>
      {failure !== undefined && <Reason failure={failure} />}
      <div class="failure-facts">
        <Last view={view} onEvent={onEvent} failure={failure} />
        <Left view={view} />
      </div>
      {!view.source.isImported && <RunAgain about={about} id={view.source.id} />}
    </section>
  );
}

/** True if a run has ended, and not as it should. */
export function hasFailedRun({ row: { outcome } }: RunAbout): boolean {
  return outcome !== "running" && outcome !== "completed";
}

function Reason({ failure }: { failure: Failure }) {
  const next = nextStepOf(failure);
  const { kind, message, retryAt } = failure;
  return (
    <>
      {message !== "" && (
        <p class="failure-message">
          <code class="failure-kind">{toVisibleLine(kind, 40)}</code>{" "}
          <span dir="auto">{cleanText(message).slice(0, 4000)}</span>
        </p>
      )}
      {next !== undefined && (
        <p class="failure-next">
          <b>Next</b> <span dir="auto">{withCode(toVisibleLine(next, 600))}</span>
        </p>
      )}
      {retryAt !== undefined && !Number.isNaN(Date.parse(retryAt)) && (
        <p class="failure-next">
          <b>{Date.parse(retryAt) > now.value ? "The limit ends" : "The limit ended"}</b>{" "}
          <time dateTime={retryAt}>{toMoment(retryAt)}</time>
        </p>
      )}
    </>
  );
}

/** What is between backticks is a command. */
function withCode(words: string): ComponentChildren[] {
  return words.split("`").map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part));
}

const lastShown = 5;
const unimportant: ReadonlySet<Item["kind"]> = new Set(["session", "end", "unknown", "thinking", "plan"]);

/** What happened last. What only repeats the reason is left out. */
function Last({ view, onEvent, failure }: FailurePanelProps & { failure: Failure | undefined }) {
  watchRun(view);
  const all = view.source.model.timeline.items.filter(({ kind }) => !unimportant.has(kind));
  // The error at the very end only says that the run ended.
  if (all.at(-1)?.kind === "error") all.pop();
  const items = all.filter((item) => !isRepeated(item, failure)).slice(-lastShown);
  if (items.length === 0) return null;
  return (
    <div class="last">
      <h3>The last things that happened</h3>
      <ol>
        {items.map((item) => (
          <li key={item.seq} class={`item ${item.kind}`}>
            <button type="button" class="link" onClick={() => onEvent(item.seq)}>
              <time>{formatExactOffset(item.time)}</time>{" "}
              {isSpoken(item) ? (
                <span class="words" dir="auto">
                  {toVisibleLine(wordsOf(item), 240)}
                </span>
              ) : (
                <Headline item={item} view={view} />
              )}
            </button>
          </li>
        ))}
      </ol>
    </div>
  );
}

function isRepeated(item: Item, failure: Failure | undefined): boolean {
  if (item.kind !== "error" && item.kind !== "warning") return false;
  const message = item.message.trim();
  return (
    failure !== undefined && (failure.message.includes(message) || message.includes(failure.message.trim()))
  );
}

function wordsOf(item: Extract<Item, { kind: "message" | "error" | "warning" | "turn" }>): string {
  switch (item.kind) {
    case "message":
      return item.text;
    case "turn":
      return `Turn ${item.number}: ${item.prompt ?? ""}`;
    case "error":
      return `Error: ${item.message}`;
    case "warning":
      return `Warning: ${item.message}`;
  }
}

/** What the run has left behind. */
function Left({ view }: { view: ViewState }) {
  const { files, moreFiles, insertions, deletions } = view.changes.value;
  const count = files.length + moreFiles;
  return (
    <div class="left">
      <h3>What it changed</h3>
      {count === 0 ? (
        <p>No file</p>
      ) : (
        <p>
          <a href={toHash({ page: "run", id: view.source.id, tab: "changes" })}>
            {formatNumberOf(count, "file")}
          </a>{" "}
          <LineCounts insertions={insertions} deletions={deletions} />
        </p>
      )}
    </div>
  );
}
