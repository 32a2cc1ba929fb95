import type { Step } from "../events/step.js";
import { longFrom, ndjsonPieces } from "../text/json-pieces.js";
import { createLineBytes } from "../text/line-bytes.js";
import { spellSafely, toJson } from "../text/to-json.js";
import type { Output, View } from "./contract.js";

/** The JSON text of an item, without a line feed. */
export type WriteItem<T> = (item: T) => string;

/** From so many items on, bytes are made. A live run mostly has one or two at a time, which are a short string. */
const many = 16;

/**
 * The items of a format as newline-delimited JSON. `write` must give what `toJson` gives; a format may do it faster, also straight
 * from what its items are made of. `toItem` makes the item of it.
 */
export function createJsonLines<T>(
  view: View<T>,
  write: WriteItem<T> = toJson,
  toItem: (given: T) => unknown = (item) => item,
): Output {
  const toBytes = createLineBytes();

  function toLines(items: readonly T[]): string | Uint8Array {
    const bytes = items.length < many ? undefined : toBytes(items, write);
    if (bytes !== undefined) return bytes;
    let text = "";
    for (const item of items) text += `${write(item)}\n`;
    return spellSafely(text);
  }

  return {
    push(steps) {
      const items: T[] = [];
      let isLong = false;
      for (const step of steps) {
        if (step.events.length === 0) continue;
        isLong ||= isLongStep(step);
        // One by one: a hostile line can give more items than a call takes arguments.
        for (const item of view.push(step.events)) items.push(item);
      }
      if (items.length === 0) return [];
      if (!isLong) return [toLines(items)];
      return [{ pieces: { [Symbol.iterator]: () => ndjsonPieces(items.map(toItem)) } }];
    },
    end() {
      const items = view.end?.() ?? [];
      return items.length === 0 ? [] : [toLines(items)];
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
