import { classesOf } from "../../../src/outputs/html/rows.js";
import { isSpoken } from "../../../src/story/timeline/describe-item.js";
import type { CallItem, Item } from "../../../src/story/timeline/items.js";
import { formatExactOffset, formatNumberOf } from "../../../src/text/numbers.js";
import type { TimelineRow } from "../model/rows.js";
import { toHash } from "../router.js";
import { copyItemAsJson, copyItemAsMarkdown } from "./copy-item.js";
import { Headline, Inside, Spoken } from "./item-parts.js";
import { isWide, select, toggle, type ViewState, watchRun } from "./view-state.js";

interface ItemCardProps {
  row: TimelineRow;
  view: ViewState;
  isCurrent: boolean;
}

/** One entry of the timeline. */
export function ItemCard({ row, view, isCurrent }: ItemCardProps) {
  watchRun(view);
  const { item, depth } = row;
  const { id } = view.source;
  const isOpen = !isWide.value && view.opened.value.has(item.seq);
  const classes = [classesOfItem(item), isCurrent && "current", isOpen && "open"];
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
        {formatExactOffset(item.time)}
      </a>
      {Array.from({ length: depth }, (_, level) => (
        <span key={level} class="rail" aria-hidden="true" />
      ))}
      <div class="body">
        {isSpoken(item) ? (
          <Spoken item={item} view={view} />
        ) : (
          <>
            <div class="head-line">
              <button
                type="button"
                class="head"
                aria-expanded={isWide.value ? undefined : isOpen}
                onClick={() => select(view, item)}
              >
                <Headline item={item} view={view} />
              </button>
              {item.kind === "call" && item.children.length > 0 && <Steps call={item} view={view} />}
            </div>
            {isOpen && <Inside key={item.seq} item={item} view={view} />}
          </>
        )}
        {(isOpen || (isCurrent && isSpoken(item))) && <Actions item={item} view={view} />}
      </div>
    </article>
  );
}

function classesOfItem(item: Item): string {
  return classesOf(item.kind === "call" ? { ...item, rows: [] } : item);
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

export function Actions({ item, view }: { item: Item; view: ViewState }) {
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
