import type { HarnessEvent } from "../../events/event.js";
import { paint } from "./paint.js";
import type { TextView } from "./text-view.js";

/** A run in a file, a pipe or a terminal that cannot move its cursor: each row comes when it is finished. */
export function createPlainWriter(
  view: TextView,
  hasColors: boolean,
): (events: readonly HarnessEvent[]) => string {
  return (events) =>
    view
      .push(events)
      .map((line) => `${paint(line, hasColors)}\n`)
      .join("");
}
