import { describeDecision } from "../../../src/story/describe-request.js";
import { exitCodeOfCall } from "../../../src/story/timeline/describe-call.js";
import type { CallItem, Item, RequestItem } from "../../../src/story/timeline/items.js";
import { kindsOf } from "../../../src/story/timeline/kinds.js";
import { toVisibleLine } from "../../../src/text/cut.js";
import { formatDuration, formatNumberOf, formatOffset } from "../../../src/text/numbers.js";
import type { TimelineRow } from "../model/rows.js";
import { toHash } from "../router.js";
import { now } from "../ui/clock.js";
import { AgentText } from "./agent-text.js";
import { copyItemAsJson, copyItemAsMarkdown } from "./copy-item.js";
import { ItemBody } from "./item-body.js";
import { type SpokenItem, statusOf, wordsOf } from "./item-words.js";
import { toggle, type ViewState, watchRun } from "./view-state.js";

const lineLength = 400;

interface ItemCardProps {
  row: TimelineRow;
  view: ViewState;
  isCurrent: boolean;
}

/** One entry of the timeline. */
export function ItemCard({ row, view, isCurrent }: ItemCardProps) {
  const { item, depth } = row;
  const { id } = view.source;
  const isOpen = view.opened.value.has(item.seq);
  const classes = ["item", item.kind, kindsOf(item)[0], isCurrent && "current", isOpen && "open"];
  return (
    <article
      class={classes.filter(Boolean).join(" ")}
      data-seq={item.seq}
      aria-current={isCurrent ? "true" : undefined}
    >
      <a
        class="time"
        href={toHash({ page: "run", id, tab: "timeline", event: item.seq })}
        title={`Link to event ${item.seq}`}
      >
        {formatOffset(item.time)}
      </a>
      {Array.from({ length: depth }, (_, level) => (
        <span key={level} class="rail" aria-hidden="true" />
      ))}
      <div class="body">
        {isSpoken(item) ? (
          <Spoken item={item} view={view} />
        ) : (
          <>
            <Head item={item} view={view} isOpen={isOpen} />
            {isOpen && <ItemBody item={item} view={view} />}
          </>
        )}
        {(isOpen || (isCurrent && isSpoken(item))) && <Actions item={item} view={view} />}
      </div>
    </article>
  );
}

const spokenKinds: ReadonlySet<Item["kind"]> = new Set(["message", "error", "warning", "turn"]);

function isSpoken(item: Item): item is SpokenItem {
  return spokenKinds.has(item.kind);
}

const speakers = { assistant: "Assistant", user: "User", system: "System" };

/** Prompts, messages, errors and warnings are shown in full instead of being unfolded. */
function Spoken({ item, view }: { item: SpokenItem; view: ViewState }) {
  watchRun(view);
  if (item.kind === "turn")
    return (
      <div class="turn-start">
        <span class="verb">
          Turn {item.number}
          {item.origin === "agent" && " · the agent went on by itself"}
        </span>
        {item.prompt !== undefined && <AgentText text={item.prompt} isPlain />}
      </div>
    );
  if (item.kind !== "message")
    return (
      <p class="notice">
        <b class="verb">{item.kind === "error" ? "Error" : "Warning"}</b>{" "}
        <span class="words" dir="auto">
          <AgentText text={item.message} isPlain />
        </span>
        {item.code !== undefined && <code class="dim code">{toVisibleLine(item.code, 60)}</code>}
      </p>
    );
  const isLive = item.isCutOff && view.source.state.value === "live";
  return (
    <div class={`said ${item.role}`}>
      <span class="verb">
        {speakers[item.role]}
        {isLive && <span class="sign running" role="img" aria-label="writing" />}
        {item.isCutOff && view.source.state.value === "whole" && !view.isReplaying.value && " (cut off)"}
      </span>
      <AgentText text={item.text} isStreaming={item.isCutOff} />
    </div>
  );
}

function Head({ item, view, isOpen }: { item: Exclude<Item, SpokenItem>; view: ViewState; isOpen: boolean }) {
  watchRun(view);
  const { verb, object } = wordsOf(item, view.cwd.value);
  const isMono = item.kind === "call" || item.kind === "operation";
  const hasSteps = item.kind === "call" && item.children.length > 0;
  return (
    <div class={hasSteps ? "head-line with-steps" : "head-line"}>
      <button
        type="button"
        class="head"
        aria-expanded={isOpen}
        onClick={() => {
          view.current.value = item.seq;
          toggle(view.opened, item.seq);
        }}
      >
        <Status item={item} view={view} />
        <span class="verb">{toVisibleLine(verb, 60)}</span>
        <span class={isMono ? "object mono" : "object"} dir="auto">
          {toVisibleLine(object, lineLength)}
        </span>
        {item.kind === "call" && !hasSteps && <Aside call={item} view={view} />}
        {item.kind === "request" && <Decided item={item} />}
      </button>
      {hasSteps && <Steps call={item} view={view} />}
      {hasSteps && <Aside call={item} view={view} />}
    </div>
  );
}

function Status({ item, view }: { item: Item; view: ViewState }) {
  watchRun(view);
  const state = statusOf(item, view);
  if (state === undefined) return <span class="sign none" />;
  return <span class={`sign ${state.sign}`} role="img" aria-label={state.words} title={state.words} />;
}

function Aside({ call, view }: { call: CallItem; view: ViewState }) {
  watchRun(view);
  const exitCode = exitCodeOfCall(call);
  return (
    <span class="aside">
      {exitCode !== undefined && exitCode !== 0 && <span class="exit">exit {exitCode}</span>}
      {call.operations.length > 0 && <span class="tool">{toVisibleLine(call.name, 40)}</span>}
      <Took call={call} view={view} />
    </span>
  );
}

/** Who decided about a request, and how. */
function Decided({ item: { decision } }: { item: RequestItem }) {
  if (decision === undefined) return <span class="aside">waits for an answer</span>;
  const { words, rule, isDenied } = describeDecision(decision, "the user");
  return (
    <span class="aside">
      <span class={isDenied ? "exit" : ""}>{words}</span>
      {rule !== undefined && <code>{toVisibleLine(rule, 80)}</code>}
    </span>
  );
}

/** Folds and unfolds the steps of a subagent. */
function Steps({ call, view }: { call: CallItem; view: ViewState }) {
  watchRun(view);
  const isFolded = view.folded.value.has(call.callId);
  return (
    <button
      type="button"
      class="steps"
      aria-expanded={!isFolded}
      title={isFolded ? "Show its steps (→)" : "Hide its steps (←)"}
      onClick={() => toggle(view.folded, call.callId)}
    >
      <span aria-hidden="true">{isFolded ? "▸" : "▾"}</span> {formatNumberOf(call.children.length, "step")}
    </button>
  );
}

function Took({ call, view }: { call: CallItem; view: ViewState }) {
  watchRun(view);
  if (call.end !== undefined) return <span class="took">{formatDuration(call.end - call.time)}</span>;
  if (view.source.state.value !== "live") return null;
  const start = Date.parse(view.source.model.events[0]?.timestamp ?? "");
  return <span class="took">{formatDuration(Math.max(0, now.value - start - call.time))}</span>;
}

function Actions({ item, view }: { item: Item; view: ViewState }) {
  watchRun(view);
  const { source } = view;
  const line = source.model.events[item.seq]?.line;
  return (
    <span class="actions">
      {line !== undefined && (
        <a
          href={toHash({ page: "run", id: source.id, tab: "raw", line })}
          title="Show the raw line of this entry (r)"
        >
          raw line {line}
        </a>
      )}
      <button
        type="button"
        class="link"
        title="Copy as JSON (c)"
        onClick={() => copyItemAsJson(source, item)}
      >
        JSON
      </button>
      <button
        type="button"
        class="link"
        title="Copy as Markdown (m)"
        onClick={() => copyItemAsMarkdown(source, item, view.cwd.value)}
      >
        Markdown
      </button>
    </span>
  );
}
