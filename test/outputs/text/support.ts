import type { HarnessEvent } from "../../../src/events/event.js";
import { type Line, plainTextOf } from "../../../src/outputs/text/line.js";
import { createTextView, type TextViewOptions } from "../../../src/outputs/text/text-view.js";
import { eventsOf, type Given } from "../support.js";

/** Rows as text. */
export function textOf(lines: readonly Line[]): string[] {
  return lines.map(plainTextOf);
}

/** A view at 60 columns that takes events one native line at a time. */
export function createTestView(options: Partial<TextViewOptions> = {}) {
  const view = createTextView({ columns: 60, ...options });
  let seq = 0;
  return {
    ...view,
    get open() {
      return view.open;
    },
    /** The events of one native line; gives the finished rows. */
    line: (...given: Given[]): string[] => textOf(view.push(numbered(eventsOf(...given)))),
  };

  function numbered(events: HarnessEvent[]): HarnessEvent[] {
    return events.map((event) => ({ ...event, seq: seq++ }));
  }
}

/** All rows of a run of which each argument is one native line. */
export function rowsOf(
  lines: readonly (Given | readonly Given[])[],
  options: Partial<TextViewOptions> = {},
): string[] {
  const view = createTestView(options);
  return lines.flatMap((line) => view.line(...[line].flat()));
}

/** A time so long after the start. */
export function atTime(milliseconds: number): string {
  return new Date(Date.UTC(2026, 0, 1, 0, 0, 1) + milliseconds).toISOString();
}
