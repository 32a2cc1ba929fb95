import type { HarnessEvent } from "../events/event.js";
import type { OutputOptions } from "./contract.js";

/** The rows of `text` as plain text, for outputs that add something of their own. */
export interface TextRows {
  /** The events of ONE native line, in order. Returns the rows that are finished now. */
  push(events: readonly HarnessEvent[]): string[];
  /** No more events. Returns the last rows. */
  end(): string[];
}

/** Rows as long as they are: whoever shows them breaks them. */
export async function openTextRows(options: OutputOptions): Promise<TextRows> {
  const { openTextView } = await import("./text/output.js");
  const { plainTextOf } = await import("./text/line.js");
  const view = await openTextView({ ...options, columns: undefined, hasColors: false });
  return {
    push: (events) => view.push(events).map(plainTextOf),
    end: () => view.end().map(plainTextOf),
  };
}
