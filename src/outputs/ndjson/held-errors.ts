import type { HarnessEvent } from "../../events/event.js";
import type { Failure } from "../../events/failure.js";
import type { UnifiedEvent, UnifiedEventOf } from "./schema.js";

/**
 * An error waits for the next item, because one error of a failed run carries the kind of the failure: the one that the failure
 * quotes, else the last one. The end of the run may also repeat the words of an error, which is then written once.
 */
export interface HeldErrors {
  /**
   * True if the item is written as it is and at once: no error waits for it, it is none, and the run goes on. That is nearly
   * every item. `follow` takes all others.
   */
  pass(item: UnifiedEvent, event: HarnessEvent): boolean;
  /** The items to write now that this item has come from this event: the error that waited for it, and the item itself. */
  follow(item: UnifiedEvent, event: HarnessEvent): UnifiedEvent[];
}

type ErrorItem = UnifiedEventOf<"Error">;

export function createHeldErrors(): HeldErrors {
  let held: ErrorItem | undefined;
  /** The error that was written last, while nothing but the ends of calls follows it. */
  let written: ErrorItem | undefined;

  /** The error before the end of the run, as it is written. Undefined if it only repeats what is written. */
  function last(error: ErrorItem, { kind, message }: Failure): ErrorItem | undefined {
    if (written?.code !== kind) return { ...error, code: kind };
    if (repeats(error, written)) return undefined;
    return written.message === message ? error : { ...error, code: kind };
  }

  return {
    pass(item, event) {
      if (held !== undefined || item.type === "Error" || event.type === "result") return false;
      if (item.type !== "ToolEnd") written = undefined;
      return true;
    },
    follow(item, event) {
      const before = held;
      held = item.type === "Error" ? item : undefined;
      // The end of the process repeats the words of the error that caused it.
      if (before !== undefined && held !== undefined && repeats(held, before)) return [];
      const failure = event.type === "result" ? event.failure : undefined;
      const error = before && failure ? last(before, failure) : before;
      written = error ?? (item.type === "ToolEnd" || item.type === "Error" ? written : undefined);
      const items: UnifiedEvent[] = error === undefined ? [] : [error];
      return held === undefined ? [...items, item] : items;
    },
  };
}

/** Some agents repeat an error at the end, with other line breaks or as JSON. */
function repeats(later: UnifiedEventOf<"Error">, earlier: UnifiedEventOf<"Error">): boolean {
  return oneSpaced(later.message).includes(oneSpaced(earlier.message));
}

function oneSpaced(text: string): string {
  return text
    .replace(/\\"/g, '"')
    .replace(/(?:\s|\\[nrt])+/g, " ")
    .trim();
}
