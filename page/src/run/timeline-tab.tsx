import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { CallItem, Item } from "../../../src/story/timeline/items.js";
import { isProblem } from "../../../src/story/timeline/kinds.js";
import { waitingFor, waitingWords } from "../../../src/story/timeline/waiting.js";
import { formatCount, formatOffset } from "../../../src/text/numbers.js";
import { itemOfEvent } from "../model/event-place.js";
import type { TimelineRow } from "../model/rows.js";
import { go, replace } from "../router.js";
import { now } from "../ui/clock.js";
import { moveKeys, useKeys } from "../ui/keys.js";
import { type ListHandle, VirtualList } from "../ui/virtual-list.js";
import { copyItemAsJson, copyItemAsMarkdown } from "./copy-item.js";
import { DetailPane } from "./detail-pane.js";
import { ItemCard } from "./item-card.js";
import { TimelineToolbar } from "./timeline-toolbar.js";
import { isWide, reveal, select, toggle, type ViewState } from "./view-state.js";

const estimates: Partial<Record<TimelineRow["item"]["kind"], number>> = {
  message: 84,
  error: 40,
  warning: 40,
};

export function TimelineTab({ view, target }: { view: ViewState; target: number | undefined }) {
  const list = useRef<ListHandle>(null);
  const search = useRef<HTMLInputElement>(null);
  const { current, isFollowing } = view;
  const rows = view.rows.value;
  useTarget(view, target, list);
  useTimelineKeys(view, list, search);
  return (
    <div class="timeline-tab">
      <TimelineToolbar view={view} search={search} />
      <div class="timeline-and-detail">
        <VirtualList
          rows={rows}
          label="Timeline"
          class="timeline"
          keyOf={({ item }) => `${item.kind} ${item.seq}`}
          estimate={({ item }) => estimates[item.kind] ?? 28}
          handle={list}
          isFollowing={isFollowing.value}
          onScrolled={(isAtEnd) => {
            if (isFollowing.value && !isAtEnd) isFollowing.value = false;
          }}
          empty={<p class="empty">{emptyWords(view)}</p>}
        >
          {(each) => <ItemCard row={each} view={view} isCurrent={each.item.seq === current.value} />}
        </VirtualList>
        {isWide.value && <DetailPane view={view} />}
      </div>
      <WaitingFor view={view} />
      <p class="visually-hidden" role="status">
        {formatCount(rows.length)} entries
      </p>
    </div>
  );
}

/** What a run under way waits for, and for how long by now. A call that runs says so itself. */
function WaitingFor({ view }: { view: ViewState }) {
  const { model, state, session } = view.source;
  model.version.value;
  const first = model.events[0]?.timestamp;
  if (state.value !== "live" || view.isReplaying.value || first === undefined) return null;
  const waiting = waitingFor(model.timeline);
  // The card of the request says it.
  if (waiting === undefined || (waiting.what === "answer" && (session.value?.requests.length ?? 0) > 0))
    return null;
  const elapsed = now.value - Date.parse(first) - waiting.since;
  return (
    <p class="waiting">
      <span class="sign running" aria-hidden="true" /> {waitingWords[waiting.what]}{" "}
      <time>{formatOffset(elapsed)}</time>
    </p>
  );
}

type List = RefObject<ListHandle | null>;

/** Goes to the event of the address, as soon as that event has come. */
function useTarget(view: ViewState, target: number | undefined, list: List): void {
  const { source, current, isFollowing } = view;
  const isDue = target !== undefined && target !== current.value && source.model.events.length > target;
  useEffect(() => {
    if (!isDue || target === undefined) return;
    const item = itemOfEvent(source.model, target);
    if (item === undefined) return;
    makeCurrent(view, item);
    const index = reveal(view, item);
    if (!isWide.value && item.kind === "call") toggle(view.opened, item.seq, true);
    requestAnimationFrame(() => list.current?.scrollTo(index, "center"));
  }, [isDue, target, view, source, current, isFollowing]);
}

/** The address follows the current entry. */
function makeCurrent({ source, current, isFollowing }: ViewState, { seq }: Item): void {
  isFollowing.value = false;
  current.value = seq;
  replace({ page: "run", id: source.id, tab: "timeline", event: seq });
}

function useTimelineKeys(
  view: ViewState,
  list: List,
  search: { readonly current: HTMLInputElement | null },
): void {
  const { source, isFollowing } = view;
  const rows = view.rows.value;
  const at = rows.findIndex(({ item }) => item.seq === view.current.value);
  const row = rows[at];

  function moveTo(index: number): void {
    const place = Math.max(0, Math.min(rows.length - 1, index));
    const target = rows[place];
    if (target === undefined) return;
    makeCurrent(view, target.item);
    list.current?.scrollTo(place);
  }

  function moveToProblem(step: 1 | -1): void {
    for (let index = at + step; index >= 0 && index < rows.length; index += step) {
      const candidate = rows[index];
      if (candidate !== undefined && isProblem(candidate.item)) return moveTo(index);
    }
  }

  function fold(): void {
    const call = foldableCall(view, row);
    if (call === undefined) return;
    toggle(view.folded, call.callId, true);
    moveTo(rows.findIndex(({ item }) => item === call));
  }

  function unfold(): void {
    if (row?.item.kind === "call" && row.item.children.length > 0)
      toggle(view.folded, row.item.callId, false);
  }

  useKeys({
    ...moveKeys(moveTo, { at, last: rows.length - 1 }),
    n: () => moveToProblem(1),
    N: () => moveToProblem(-1),
    Enter: () => row !== undefined && select(view, row.item),
    f: () => {
      isFollowing.value = !isFollowing.value;
    },
    r: () => {
      const line = row === undefined ? undefined : source.model.events[row.item.seq]?.line;
      if (line !== undefined) go({ page: "run", id: source.id, tab: "raw", line });
    },
    c: () => row !== undefined && copyItemAsJson(source, row.item),
    m: () => row !== undefined && copyItemAsMarkdown(source, row.item, view.cwd.value),
    "/": () => search.current?.focus(),
    h: fold,
    l: unfold,
    // During a replay, these keys move through its time.
    ...(view.isReplaying.value ? {} : { ArrowLeft: fold, ArrowRight: unfold }),
  });
}

/** The subagent call whose steps can be folded from a row: the row's own call, or the one that the row is inside of. */
function foldableCall({ folded }: ViewState, row: TimelineRow | undefined): CallItem | undefined {
  const item = row?.item;
  const isUnfolded = item?.kind === "call" && item.children.length > 0 && !folded.value.has(item.callId);
  return isUnfolded ? item : row?.inside.at(-1);
}

function emptyWords({ source, query, onlyProblems }: ViewState): string {
  if (source.model.events.length === 0) return "Waiting for the first event…";
  if (query.value !== "") return "Nothing matches.";
  return onlyProblems.value ? "Nothing went wrong." : "Nothing to show yet.";
}
