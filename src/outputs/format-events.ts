import type { HarnessEvent } from "../events/event.js";
import type { Format, FormatOptions } from "./contract.js";
import { type FormatItems, type FormatName, formats } from "./formats.js";

/** The items of a whole run, from the flat list of its events. The format is named, or given: `formatEvents(agUiFormat, events)`. */
export function formatEvents<Item>(
  format: Format<Item>,
  events: readonly HarnessEvent[],
  options?: FormatOptions,
): Item[];
export function formatEvents<Name extends FormatName>(
  name: Name,
  events: readonly HarnessEvent[],
  options?: FormatOptions,
): FormatItems[Name][];
export function formatEvents(
  given: FormatName | Format<unknown>,
  events: readonly HarnessEvent[],
  options?: FormatOptions,
): unknown[] {
  const format: Format<unknown> = typeof given === "string" ? formats[given] : given;
  const view = format.create(options);
  const items: unknown[] = [];
  for (const group of groupByLine(events)) for (const item of view.push(group)) items.push(item);
  for (const item of view.end?.() ?? []) items.push(item);
  return items;
}

/**
 * The events in groups of one native line each, as far as their line numbers show. The numbers grow. Events that refer to an
 * earlier line belong together. The start has no line; after it, the first event without a line begins the end of the run, or
 * what happened in a live session before its next line.
 */
function groupByLine(events: readonly HarnessEvent[]): HarnessEvent[][] {
  let group: HarnessEvent[] = [];
  const groups = [group];
  let highest = 0;
  let looksBack = false;
  let isEnd = false;
  for (const event of events) {
    const line = event.line ?? 0;
    const isInTurn = event.turnId !== undefined && line > highest;
    if (isInTurn || (!isEnd && (line > highest || (line < highest && !looksBack)))) {
      group = [];
      groups.push(group);
      isEnd = false;
      looksBack = line < highest;
      highest = Math.max(highest, line);
    }
    isEnd ||= highest > 0 && event.line === undefined;
    group.push(event);
  }
  return groups;
}
