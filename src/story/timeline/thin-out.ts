import type { CallItem, Item } from "./items.js";
import { isProblem, type Kind, kindsOf } from "./kinds.js";

/** How many items are not shown, by kind. */
export interface Gap {
  kind: "gap";
  counts: Map<Kind, number>;
}

export type Row = Exclude<Item, CallItem> | (CallItem & { rows: Row[] }) | Gap;

const talk: ReadonlySet<Item["kind"]> = new Set(["message", "turn", "turn_end", "request"]);

/**
 * The rows of a timeline, at most so many items. If there are more, its beginning and its end are kept
 * whole. Between them turns, messages, requests and problems are kept as long as there is room.
 */
export function thinOut(items: readonly Item[], maxItems: number): Row[] {
  const total = countItems(items);
  const isThin = total <= maxItems;
  const edge = Math.floor(maxItems / 4);
  let room = maxItems - 2 * edge;
  let position = 0;

  function isKept(item: Item): boolean {
    if (isThin || position < edge || position >= total - edge) return true;
    if (room <= 0 || !(talk.has(item.kind) || isProblem(item) || hasChildren(item))) return false;
    room -= 1;
    return true;
  }

  function toRows(from: readonly Item[]): Row[] {
    const rows: Row[] = [];
    for (const item of from) {
      const isShown = isKept(item);
      position += 1;
      if (isShown) rows.push(item.kind === "call" ? { ...item, rows: toRows(item.children) } : item);
      else skip(rows, item);
    }
    return rows;
  }

  function skip(rows: Row[], item: Item): void {
    const last = rows.at(-1);
    const gap: Gap = last?.kind === "gap" ? last : { kind: "gap", counts: new Map() };
    if (gap !== last) rows.push(gap);
    tally(item, gap.counts);
    if (item.kind === "call") position += countItems(item.children);
  }

  return toRows(items);
}

function tally(item: Item, counts: Map<Kind, number>): void {
  const [kind] = kindsOf(item);
  counts.set(kind, (counts.get(kind) ?? 0) + 1);
  if (item.kind === "call") for (const child of item.children) tally(child, counts);
}

export function countItems(items: readonly Item[]): number {
  let count = items.length;
  for (const item of items) if (item.kind === "call") count += countItems(item.children);
  return count;
}

function hasChildren(item: Item): boolean {
  return item.kind === "call" && item.children.length > 0;
}
