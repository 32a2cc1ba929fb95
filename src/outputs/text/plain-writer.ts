import type { HarnessEvent } from "../../events/event.js";
import type { Line } from "./line.js";
import { paint } from "./paint.js";
import type { TextView } from "./text-view.js";

/** A run in a file, a pipe or a terminal that cannot move its cursor: each row comes when it is finished. */
export function createPlainWriter(
  view: TextView,
  hasColors: boolean,
): (events: readonly HarnessEvent[]) => string {
  return (events) => paintRows(view.push(events), hasColors);
}

export function paintRows(lines: readonly Line[], hasColors: boolean): string {
  return lines.map((line) => `${paint(line, hasColors)}\n`).join("");
}
