import type { Item } from "../../story/timeline/items.js";
import { type Kind, kinds, kindsOf } from "../../story/timeline/kinds.js";
import { countItems } from "../../story/timeline/thin-out.js";
import { formatCount } from "../../text/numbers.js";
import { html, type Markup } from "./markup.js";

/** The filters of the timeline. The page's script shows them and makes them work. */
export function renderToolbar(items: readonly Item[]): Markup {
  return html`
    <div class="toolbar needs-script" role="group" aria-label="What the timeline shows">
      <div class="filters">${renderFilters(items)}</div>
      <div class="tools">
        <input type="search" id="search" placeholder="Search" aria-label="Search in the timeline">
        <button type="button" id="problems" aria-pressed="false">Problems only</button>
        <button type="button" id="expand" aria-pressed="false">Expand all</button>
        <button type="button" id="theme" aria-label="Light or dark">◐</button>
        <output id="shown">${formatCount(countItems(items))} items</output>
      </div>
    </div>`;
}

function renderFilters(items: readonly Item[]): Markup[] {
  const counts = new Map<Kind, number>();
  countKinds(items, counts);
  return kinds.flatMap((kind) => {
    const count = counts.get(kind.id);
    if (count === undefined) return [];
    const isPressed = "isHidden" in kind ? "false" : "true";
    return html`
      <button type="button" class="filter ${kind.id}" data-kind="${kind.id}" aria-pressed="${isPressed}">
        ${kind.label} <small>${formatCount(count)}</small>
      </button>`;
  });
}

function countKinds(items: readonly Item[], counts: Map<Kind, number>): void {
  for (const item of items) {
    for (const kind of kindsOf(item)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    if (item.kind === "call") countKinds(item.children, counts);
  }
}
