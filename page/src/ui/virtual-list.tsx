import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from "@tanstack/virtual-core";
import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useImperativeHandle, useLayoutEffect, useMemo, useReducer, useRef } from "preact/hooks";

export interface ListHandle {
  scrollTo(index: number, align?: "auto" | "start" | "center" | "end"): void;
  readonly element: HTMLElement | null;
}

interface VirtualListProps<T> {
  rows: readonly T[];
  label: string;
  class?: string;
  keyOf(row: T, index: number): string | number;
  estimate(row: T): number;
  children(row: T, index: number): ComponentChildren;
  handle?: RefObject<ListHandle | null>;
  /** True: the list stays at its end as rows are added. */
  isFollowing?: boolean;
  /** Called when the reader has scrolled. `isAtEnd`: the last row is in sight. */
  onScrolled?(isAtEnd: boolean): void;
  /** Shown when there are no rows. */
  empty?: ComponentChildren;
  /** Stays at the top while the rows scroll below it. Its height must be given. */
  head?: ComponentChildren;
  headHeight?: number;
}

/** A list of any length. Only the visible rows are in the document, each with its own height. */
export function VirtualList<T>(props: VirtualListProps<T>) {
  const { rows, label, handle, isFollowing = false, onScrolled } = props;
  const element = useRef<HTMLElement>(null);
  const list = useVirtualizer(props, element);
  useImperativeHandle(
    handle ?? { current: null },
    () => ({
      scrollTo: (index, align = "auto") => list.scrollToIndex(index, { align }),
      get element() {
        return element.current;
      },
    }),
    [list],
  );
  const isScrolling = useFollowing(list, rows.length, isFollowing);
  const onScroll = (): void => {
    const { current } = element;
    if (current === null || isScrolling.current) return;
    onScrolled?.(current.scrollHeight - current.scrollTop - current.clientHeight < 24);
  };
  return (
    <section
      ref={element}
      class={`virtual ${props.class ?? ""}`}
      onScroll={onScroll}
      onWheel={() => {
        isScrolling.current = false;
      }}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      aria-label={label}
    >
      {props.head}
      {rows.length === 0 ? props.empty : renderRows(list, rows, props.children)}
    </section>
  );
}

type List = Virtualizer<HTMLElement, HTMLElement>;

function useVirtualizer<T>(
  { rows, keyOf, estimate, headHeight = 0 }: VirtualListProps<T>,
  element: { readonly current: HTMLElement | null },
): List {
  const [, draw] = useReducer((count: number) => count + 1, 0);
  const virtualizer = useRef<List>(null);
  const latest = useRef({ keyOf, estimate });
  latest.current = { keyOf, estimate };
  /** The functions stay the same for the same rows: new functions would make the virtualizer measure all rows again. */
  const aboutRows = useMemo(
    () => ({
      count: rows.length,
      estimateSize: (index: number) => {
        const row = rows[index];
        return row === undefined ? 0 : latest.current.estimate(row);
      },
      getItemKey: (index: number) => {
        const row = rows[index];
        return row === undefined ? index : latest.current.keyOf(row, index);
      },
    }),
    [rows],
  );
  const options = {
    ...aboutRows,
    getScrollElement: () => element.current,
    overscan: 6,
    paddingStart: headHeight,
    scrollPaddingStart: headHeight,
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    onChange: () => draw(0),
  };
  virtualizer.current ??= new Virtualizer(options);
  const list = virtualizer.current;
  list.setOptions(options);
  useLayoutEffect(() => list._didMount(), [list]);
  useLayoutEffect(() => list._willUpdate());
  return list;
}

/** Keeps the last row in sight. The result is true while the list itself scrolls, rather than the reader. */
function useFollowing(list: List, count: number, isFollowing: boolean): { current: boolean } {
  const isScrolling = useRef(false);
  useEffect(() => {
    if (!isFollowing || count === 0) return;
    isScrolling.current = true;
    list.scrollToIndex(count - 1, { align: "end" });
    const timer = setTimeout(() => {
      isScrolling.current = false;
    }, 300);
    return () => clearTimeout(timer);
  });
  return isScrolling;
}

/** Not a component: `list` changes in place, so a component with the same props would not be drawn again. */
function renderRows<T>(
  list: List,
  rows: readonly T[],
  render: (row: T, index: number) => ComponentChildren,
): ComponentChildren {
  return (
    <ol class="virtual-all" style={{ height: `${list.getTotalSize()}px` }}>
      {list.getVirtualItems().map(({ index, start, key }) => {
        const row = rows[index];
        if (row === undefined) return null;
        return (
          <li
            key={key}
            data-index={index}
            ref={list.measureElement}
            class="virtual-row"
            aria-setsize={rows.length}
            aria-posinset={index + 1}
            style={{ transform: `translateY(${start}px)` }}
          >
            {render(row, index)}
          </li>
        );
      })}
    </ol>
  );
}
