import type { Item } from "../../story/timeline/items.js";

/** How long at least one tool was running. */
export function busyTime(items: readonly Item[], duration: number): number {
  const spans = items.flatMap((item) =>
    item.kind === "call" ? [{ start: item.time, end: item.end ?? duration }] : [],
  );
  spans.sort((a, b) => a.start - b.start);
  let busy = 0;
  let until = 0;
  for (const { start, end } of spans) {
    busy += Math.max(0, end - Math.max(start, until));
    until = Math.max(until, end);
  }
  return busy;
}
