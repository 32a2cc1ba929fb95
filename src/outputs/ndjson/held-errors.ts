import type { HarnessEvent } from "../../events/event.js";
import type { UnifiedEvent, UnifiedEventOf } from "./schema.js";

/**
 * An error waits for the next item, because the last error of a failed run carries the kind of the failure, and the end of the
 * run may repeat its words.
 */
export interface HeldErrors {
  /** The items to write now that this item has come from this event: the error that waited for it, and the item itself. */
  follow(item: UnifiedEvent, event: HarnessEvent): UnifiedEvent[];
}

type ErrorItem = UnifiedEventOf<"Error">;

export function createHeldErrors(): HeldErrors {
  let held: ErrorItem | undefined;
  /** The error that was written last, while nothing but the ends of calls follows it. */
  let written: ErrorItem | undefined;

  /** True if the error before the end repeats one of the same kind that is already written. */
  function isWritten(error: ErrorItem, kind: string | undefined): boolean {
    return kind !== undefined && written?.code === kind && repeats(error, written);
  }

  return {
    follow(item, event) {
      const before = held;
      held = item.type === "Error" ? item : undefined;
      const kind = event.type === "result" ? event.failure?.kind : undefined;
      // The end of the process repeats the words of the error that caused it.
      if (before !== undefined && held !== undefined && repeats(held, before)) return [];
      const items =
        before === undefined || isWritten(before, kind) ? [] : [kind ? { ...before, code: kind } : before];
      written = items[0] ?? (item.type === "ToolEnd" || item.type === "Error" ? written : undefined);
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
