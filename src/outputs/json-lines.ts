import type { Step } from "../events/step.js";
import { longFrom, ndjsonPieces } from "../text/json-pieces.js";
import { toNdjson } from "../text/to-json.js";
import type { Output, View } from "./contract.js";

/** The items of a format as newline-delimited JSON. */
export function createJsonLines(view: View<unknown>): Output {
  return {
    push(steps) {
      const items: unknown[] = [];
      for (const { events } of steps) {
        if (events.length === 0) continue;
        // One by one: a hostile line can give more items than a call takes arguments.
        for (const item of view.push(events)) items.push(item);
      }
      if (items.length === 0) return [];
      if (!steps.some(isLongStep)) return [toNdjson(items)];
      return [{ pieces: { [Symbol.iterator]: () => ndjsonPieces(items) } }];
    },
    end() {
      const items = view.end?.() ?? [];
      return items.length === 0 ? [] : [toNdjson(items)];
    },
  };
}

/** True if a step may be too long for one string. The end of a run counts, because it repeats the answer. */
export function isLongStep({ record }: Step): boolean {
  if (record === undefined || record.stream === "harness") return false;
  if (
    record.stream === "exit" ||
    record.stream === "process" ||
    record.stream === "sent" ||
    record.stream === "changes"
  )
    return true;
  return (record.line ?? record.bytes ?? "").length >= longFrom;
}
