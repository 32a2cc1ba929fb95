import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Item } from "../../../src/story/timeline/items.js";
import { type Kind, kinds } from "../../../src/story/timeline/kinds.js";
import { findItem, type TimelineRow, toRows } from "../model/rows.js";
import type { RunSource } from "../model/run-source.js";

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
  /** True: this page has asked the run to stop. */
  hasAskedToStop: Signal<boolean>;
}

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

export function toggle<T>(set: Signal<ReadonlySet<T>>, value: T, isIn = !set.value.has(value)): void {
  const next = new Set(set.value);
  if (isIn) next.add(value);
  else next.delete(value);
  set.value = next;
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
