import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { findAnswer, titleOfAnswer } from "../../../src/story/outcomes.js";
import type { Item } from "../../../src/story/timeline/items.js";
import { type Kind, kinds } from "../../../src/story/timeline/kinds.js";
import { findItem, type TimelineRow, toRows } from "../model/rows.js";
import { type ChangedSoFar, changesSoFar } from "../model/run-changes.js";
import type { RunSource } from "../model/run-source.js";
import { replace } from "../router.js";

/** How one run is shown. */
export interface ViewState {
  source: RunSource;
  cwd: ReadonlySignal<string>;
  rows: ReadonlySignal<readonly TimelineRow[]>;
  /** The `seq` of the current item's first event. */
  current: Signal<number | undefined>;
  /** The `seq` of the first event of each unfolded item. */
  opened: Signal<ReadonlySet<number>>;
  folded: Signal<ReadonlySet<string>>;
  hidden: Signal<ReadonlySet<Kind>>;
  query: Signal<string>;
  onlyProblems: Signal<boolean>;
  isFollowing: Signal<boolean>;
  isReplaying: Signal<boolean>;
  changes: ReadonlySignal<ChangedSoFar>;
  /** The message that is the answer, and what it is called. */
  answer: ReadonlySignal<{ answer: Item | undefined; answerTitle: string }>;
  /** True: this page has asked the run to stop. */
  hasAskedToStop: Signal<boolean>;
}

/** True: the contents of an entry are shown beside the timeline instead of below the entry. */
export const isWide = signal(false);
const wide = window.matchMedia("(min-width: 1100px)");
isWide.value = wide.matches;
wide.addEventListener("change", () => {
  isWide.value = wide.matches;
});

const hiddenAtFirst: readonly Kind[] = kinds.flatMap((kind) =>
  "isHidden" in kind && kind.isHidden ? [kind.id] : [],
);

export function createViewState(source: RunSource): ViewState {
  const { model, about } = source;
  const cwd = computed(() => {
    model.version.value;
    const session = model.events.find((event) => event.type === "session" && event.cwd !== undefined);
    return (session?.type === "session" ? session.cwd : undefined) ?? about.value?.row.cwd ?? "";
  });
  const folded = signal<ReadonlySet<string>>(new Set());
  const hidden = signal<ReadonlySet<Kind>>(new Set(hiddenAtFirst));
  const query = signal("");
  const onlyProblems = signal(false);
  const rows = computed(() => {
    model.version.value;
    return toRows(model.timeline.items, {
      hidden: hidden.value,
      query: query.value,
      onlyProblems: onlyProblems.value,
      folded: folded.value,
      cwd: cwd.value,
    });
  });
  return {
    source,
    cwd,
    rows,
    answer: computed(() => answerOf(source)),
    changes: computed(() => {
      model.version.value;
      return changesSoFar(model, cwd.value);
    }),
    folded,
    hidden,
    query,
    onlyProblems,
    current: signal<number | undefined>(undefined),
    opened: signal<ReadonlySet<number>>(new Set()),
    isFollowing: signal(false),
    isReplaying: signal(false),
    hasAskedToStop: signal(false),
  };
}

function answerOf({ model, about, state }: RunSource): { answer: Item | undefined; answerTitle: string } {
  model.version.value;
  const outcome = about.value?.row.outcome ?? "running";
  const isOver = state.value === "whole" && outcome !== "running";
  const answer = isOver ? findAnswer(model.timeline.items, { ...model.summary(), outcome }) : undefined;
  return { answer, answerTitle: titleOfAnswer(outcome) };
}

/** Makes an entry current. Its contents are shown beside the timeline; without room for that, they unfold, or fold again. */
export function select(view: ViewState, { seq }: Item): void {
  view.isFollowing.value = false;
  view.current.value = seq;
  if (!isWide.value) toggle(view.opened, seq);
  replace({ page: "run", id: view.source.id, tab: "timeline", event: seq });
}

export function toggle<T>(set: Signal<ReadonlySet<T>>, value: T, isIn = !set.value.has(value)): void {
  const next = new Set(set.value);
  if (isIn) next.add(value);
  else next.delete(value);
  set.value = next;
}

/** Shows only the entries of one kind, or all that are shown at first. */
export function showOnly(view: ViewState, kind: Kind | undefined): void {
  view.query.value = "";
  view.onlyProblems.value = false;
  view.hidden.value = new Set(
    kind === undefined ? hiddenAtFirst : kinds.flatMap(({ id }) => (id === kind ? [] : [id])),
  );
}

/** True if the reader has chosen what is shown. */
export function isFiltered({ hidden, query, onlyProblems }: ViewState): boolean {
  return (
    query.value !== "" ||
    onlyProblems.value ||
    hidden.value.size !== hiddenAtFirst.length ||
    hiddenAtFirst.some((kind) => !hidden.value.has(kind))
  );
}

/** Removes filters and folds until an item has a row. Returns the row's index. */
export function reveal(view: ViewState, item: Item): number {
  const find = (): number => view.rows.value.findIndex((row) => row.item === item);
  if (find() !== -1) return find();
  const found = findItem(view.source.model.timeline.items, (each) => each === item);
  for (const call of found?.inside ?? []) toggle(view.folded, call.callId, false);
  if (find() !== -1) return find();
  view.query.value = "";
  view.onlyProblems.value = false;
  view.hidden.value = new Set();
  return find();
}

/** Makes a component render again whenever the run changes. Items change in place, so nothing else would. */
export function watchRun({ source }: ViewState): void {
  source.model.version.value;
}

/** True: what has no end yet is going on. During a replay, it is at that moment. */
export function isUnderWay({ source, isReplaying }: ViewState): boolean {
  return source.state.value === "live" || isReplaying.value;
}
