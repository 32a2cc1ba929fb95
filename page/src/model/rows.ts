import { describeDeed } from "../../../src/story/describe-operation.js";
import { describeRequest } from "../../../src/story/describe-request.js";
import { describeCall } from "../../../src/story/timeline/describe-call.js";
import type { CallItem, Item } from "../../../src/story/timeline/items.js";
import { isProblem, type Kind, kindsOf } from "../../../src/story/timeline/kinds.js";
import { toJsonText } from "../../../src/text/to-json.js";

/** One line of the timeline. */
export interface TimelineRow {
  item: Item;
  depth: number;
  /** The subagent calls that the item is inside of, outermost first. */
  inside: readonly CallItem[];
}

export interface RowFilter {
  hidden: ReadonlySet<Kind>;
  query: string;
  onlyProblems: boolean;
  /** Ids of the subagent calls whose steps are folded. */
  folded: ReadonlySet<string>;
  cwd: string;
}

/** The timeline as one flat list. A subagent's call is kept if any of its steps is. */
export function toRows(items: readonly Item[], filter: RowFilter): TimelineRow[] {
  const rows: TimelineRow[] = [];
  const query = filter.query.trim().toLowerCase();
  const isSearching = query !== "" || filter.onlyProblems;
  collect(items, []);
  return rows;

  function collect(list: readonly Item[], inside: readonly CallItem[]): void {
    for (const item of list) {
      const at = rows.length;
      const row: TimelineRow = { item, depth: inside.length, inside };
      rows.push(row);
      if (
        item.kind === "call" &&
        item.children.length > 0 &&
        (isSearching || !filter.folded.has(item.callId))
      )
        collect(item.children, [...inside, item]);
      if (rows.length === at + 1 && !isShown(item)) rows.pop();
    }
  }

  function isShown(item: Item): boolean {
    if (kindsOf(item).every((kind) => filter.hidden.has(kind))) return false;
    if (filter.onlyProblems && !isProblem(item)) return false;
    return query === "" || textOf(item, filter.cwd).toLowerCase().includes(query);
  }
}

/** The text of an item that the search looks at. */
function textOf(item: Item, cwd: string): string {
  switch (item.kind) {
    case "message":
    case "thinking":
      return item.text;
    case "call": {
      const { verb, object } = describeCall(item, cwd);
      const values = [item.input, item.output].map((value) => (value === undefined ? "" : toJsonText(value)));
      return [
        verb,
        object,
        item.name,
        ...item.operations.map((each) => describeDeed(each, cwd).object),
        ...values,
      ].join("\n");
    }
    case "operation": {
      const { verb, object } = describeDeed(item.operation, cwd);
      return `${verb} ${object}`;
    }
    case "error":
    case "warning":
      return `${item.message} ${item.code ?? ""}`;
    case "edits":
      return item.edits.map((edit) => `${edit.filePath}\n${edit.replacement}`).join("\n");
    case "unknown":
      return toJsonText(item.raw);
    case "turn":
      return `Turn ${item.number} ${item.prompt ?? ""}`;
    case "turn_end":
      return `Turn ${item.number} ${item.end.reason} ${item.end.failure?.message ?? ""}`;
    case "request": {
      const { verb, object } = describeRequest(item.request, cwd);
      return [
        verb,
        object,
        item.request.name,
        item.request.message,
        item.decision?.outcome,
        item.decision?.rule,
      ]
        .filter((part) => part !== undefined)
        .join("\n");
    }
    case "plan":
      return item.entries.map(({ content }) => content).join("\n");
    case "session":
      return `${item.model ?? ""} ${item.sessionId ?? ""}`;
    case "end":
      return `${item.exited?.reason ?? ""} ${item.result?.failure?.message ?? ""}`;
  }
}

/** The number of items of each kind. */
export function countKinds(items: readonly Item[], counts = new Map<Kind, number>()): Map<Kind, number> {
  for (const item of items) {
    for (const kind of kindsOf(item)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    if (item.kind === "call") countKinds(item.children, counts);
  }
  return counts;
}

/** The first item that matches, and the calls that it is inside of. */
export function findItem(
  items: readonly Item[],
  isIt: (item: Item) => boolean,
  inside: readonly CallItem[] = [],
): { item: Item; inside: readonly CallItem[] } | undefined {
  for (const item of items) {
    if (isIt(item)) return { item, inside };
    const found = item.kind === "call" && findItem(item.children, isIt, [...inside, item]);
    if (found) return found;
  }
  return undefined;
}
