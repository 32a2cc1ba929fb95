import type { HarnessEvent } from "../vocabulary/event.js";
import type { FormatOptions } from "./format.js";
import { type FormatItems, type FormatName, formats } from "./formats.js";

/** The items of a whole run, from the flat list of its events. */
export function formatEvents<Name extends FormatName>(
  name: Name,
  events: readonly HarnessEvent[],
  options?: FormatOptions,
): FormatItems[Name][] {
  const view = formats[name].create(options);
  const items: FormatItems[Name][] = [];
  for (const group of groupByLine(events)) for (const item of view.push(group)) items.push(item);
  return items;
}

/**
 * The events as they came, line by line. Line numbers only grow; events without one, or with an
 * earlier one, belong together: they are what the end of the stream told about earlier lines.
 */
function groupByLine(events: readonly HarnessEvent[]): HarnessEvent[][] {
  let group: HarnessEvent[] = [];
  const groups = [group];
  let highest = 0;
  let isPastLine = false;
  for (const event of events) {
    const line = event.line ?? 0;
    if (line > highest || (line < highest && !isPastLine)) {
      group = [];
      groups.push(group);
      isPastLine = line < highest;
      highest = Math.max(highest, line);
    }
    group.push(event);
  }
  return groups;
}
