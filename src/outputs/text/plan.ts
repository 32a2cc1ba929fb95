import type { EventOf } from "../../events/event.js";
import type { PlanEntry } from "../../events/live-event.js";
import { hasSameEntries, isSamePlan, progressOf } from "../../story/plan-progress.js";
import { cleanLine } from "../../text/cut.js";
import { cutEnd } from "./cut.js";
import { marks, toDeedLine } from "./deed-line.js";
import type { Segment } from "./line.js";
import type { Page } from "./page.js";

const maxEntries = 10;

/**
 * Writes the agent's to-do list: all of it if its entries are new, one row if only their states have changed, nothing if
 * nothing has. The main agent's own list covers what its subagents do.
 */
export function createPlanWriter(page: Page, begin: () => void): (event: EventOf<"plan">) => void {
  let shown: readonly PlanEntry[] = [];
  return ({ entries, parentCallId }) => {
    if (parentCallId !== undefined || isSamePlan(entries, shown)) return;
    const isKnown = hasSameEntries(entries, shown);
    shown = entries;
    begin();
    const { words, current, isDone } = progressOf(entries);
    const object = isKnown && current !== undefined ? `${words}: ${cleanLine(current)}` : words;
    const mark = isDone ? marks.success : marks.open;
    page.row(toDeedLine({ mark, verb: "Plan", object }, page.columns));
    if (!isKnown) writeEntries(page, entries);
  };
}

const entryMarks = {
  completed: marks.success,
  in_progress: marks.subagent,
  pending: marks.open,
} as const satisfies Record<PlanEntry["status"], Segment>;

function writeEntries(page: Page, entries: readonly PlanEntry[]): void {
  const shown = entries.length > maxEntries ? entries.slice(0, maxEntries - 1) : entries;
  for (const { content, status } of shown) {
    const text = cutEnd(cleanLine(content), page.columns - 4);
    page.row([{ text: "  " }, entryMarks[status], { text: ` ${text}` }]);
  }
  const missing = entries.length - shown.length;
  if (missing > 0) page.row([{ text: `    … ${missing} more`, style: "dim" }]);
}
