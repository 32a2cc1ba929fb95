import type { HarnessEvent } from "../events/event.js";
import type { Step } from "../events/step.js";
import { longFrom, ndjsonPieces } from "../text/json-pieces.js";
import { createLineBytes } from "../text/line-bytes.js";
import { spellSafely, toJson } from "../text/to-json.js";
import type { Output, View } from "./contract.js";

/** The JSON text of an item, without a line feed. */
export type WriteItem<T> = (item: T) => string;

/** A view that can add the items of a line to those of others: a list for each line would be most of what it makes. */
export interface AddingView<T> extends View<T> {
  add(events: readonly HarnessEvent[], items: T[]): void;
}

export function createAddingView<T>(add: AddingView<T>["add"]): AddingView<T> {
  return {
    add,
    push(events) {
      const items: T[] = [];
      add(events, items);
      return items;
    },
  };
}

/** From so many items on, bytes are made. A live run mostly has one or two at a time, which are a short string. */
const many = 16;

/**
 * The items of a format as newline-delimited JSON. `write` must give what `toJson` gives; a format may do it faster, also straight
 * from what its items are made of. `toItem` makes the item of it.
 */
export function createJsonLines<T>(
  view: View<T> | AddingView<T>,
  write: WriteItem<T> = toJson,
  toItem: (given: T) => unknown = (item) => item,
): Output {
  const toBytes = createLineBytes();
  const { add } = "add" in view ? view : addingTo(view);

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
        add(step.events, items);
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

function addingTo<T>(view: View<T>): Pick<AddingView<T>, "add"> {
  return {
    add(events, items) {
      // One by one: a hostile line can give more items than a call takes arguments.
      for (const item of view.push(events)) items.push(item);
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
