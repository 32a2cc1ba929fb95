import { isSpoken } from "../../story/timeline/describe-item.js";
import { isProblem, kinds, kindsOf } from "../../story/timeline/kinds.js";
import type { Gap, Row } from "../../story/timeline/thin-out.js";
import { formatCount, formatExactOffset, formatNumberOf } from "../../text/numbers.js";
import { type RowContext, renderHeadline } from "./item-head.js";
import { renderInside } from "./item-inside.js";
import { renderSpoken } from "./item-spoken.js";
import { html, type Markup } from "./markup.js";

/** The rows of an exported page. The parts of each are those of the live page, too. */
export function renderRows(rows: readonly Row[], context: RowContext): Markup {
  return html`
    <ol class="timeline">
      ${rows.map((row) => (row.kind === "gap" ? renderGap(row) : renderRow(row, context)))}
    </ol>`;
}

/** The kinds of an item as classes. */
export function classesOf(item: Exclude<Row, Gap>): string {
  const [first] = kindsOf(item);
  return ["item", ...(item.kind === first ? [] : [item.kind]), first].join(" ");
}

/** Each on a line of its own, for those who read the source. */
function renderRow(row: Exclude<Row, Gap>, context: RowContext): Markup {
  const id = `e${row.seq}`;
  return html`${"\n"}
    <li class="${classesOf(row)}${isProblem(row) && " problem"}" id="${id}" data-kinds="${kindsOf(row).join(" ")}">
      <a class="time" href="#${id}">${formatExactOffset(row.time)}</a>
      ${renderBody(row, context)}
    </li>`;
}

function renderBody(row: Exclude<Row, Gap>, context: RowContext): Markup {
  if (isSpoken(row)) return html`<div class="body">${renderSpoken(row, context)}</div>`;
  const steps = row.kind === "call" ? row.rows : [];
  const isNested = steps.length > 0;
  const inside = renderInside(row, context, isNested ? renderRows(steps, context) : undefined);
  const head = renderHeadline(row, context, isNested ? formatNumberOf(steps.length, "step") : "");
  if (inside === undefined) return html`<div class="body line">${head}</div>`;
  return html`
    <details class="body"${isNested && html` open`}>
      <summary>${head}</summary>
      <div class="inside">${inside}</div>
    </details>`;
}

function renderGap({ counts }: Gap): Markup {
  const parts = kinds.flatMap(({ id, label }) => {
    const count = counts.get(id);
    return count === undefined ? [] : [`${label.toLowerCase()} ${formatCount(count)}`];
  });
  return html`${"\n"}
    <li class="item gap" data-kinds="gap">
      <span class="time"></span>
      <div class="body">Left out here, to keep the page light: ${parts.join(", ")}</div>
    </li>`;
}
