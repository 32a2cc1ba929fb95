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
  /** Stays at the end as rows are added. */
  isFollowing?: boolean;
  /** The reader scrolled; `isAtEnd` when nothing is below. */
  onScrolled?(isAtEnd: boolean): void;
  /** Shown after the last row. */
  empty?: ComponentChildren;
}

/** A list of any length: only what can be seen is in the document. Rows are as high as they are. */
export function VirtualList<T>(props: VirtualListProps<T>) {
  const { rows, label, keyOf, estimate, handle, isFollowing = false, onScrolled } = props;
  const element = useRef<HTMLElement>(null);
  const [, draw] = useReducer((count: number) => count + 1, 0);
  const virtualizer = useRef<Virtualizer<HTMLElement, HTMLElement>>(null);
  const latest = useRef({ keyOf, estimate });
  latest.current = { keyOf, estimate };
  /** The same functions for the same rows: with others, the whole list would be measured again. */
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
  const isBusy = useRef(false);
  useEffect(() => {
    if (!isFollowing || rows.length === 0) return;
    isBusy.current = true;
    list.scrollToIndex(rows.length - 1, { align: "end" });
    const timer = setTimeout(() => {
      isBusy.current = false;
    }, 300);
    return () => clearTimeout(timer);
  });
  const onScroll = (): void => {
    const { current } = element;
    if (current === null || isBusy.current) return;
    onScrolled?.(current.scrollHeight - current.scrollTop - current.clientHeight < 24);
  };
  return (
    <section
      ref={element}
      class={`virtual ${props.class ?? ""}`}
      onScroll={onScroll}
      onWheel={() => {
        isBusy.current = false;
      }}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      aria-label={label}
    >
      {rows.length === 0 ? (
        props.empty
      ) : (
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
                {props.children(row, index)}
              </li>
            );
          })}
        </ol>
      )}
    </section>
  );
}
