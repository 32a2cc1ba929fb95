import type { HarnessEvent } from "../events/event.js";

/**
 * A format is one way to show a run: a function of its events with at most a little memory. Formats
 * know nothing about agents or native output, and run in browsers.
 */
export interface Format<Item> {
  name: string;
  /** A fresh view of one run. */
  create(options?: FormatOptions): View<Item>;
}

/** One run, seen through a format. Never throws, never changes the events it is given. */
export interface View<Item> {
  /** The events of ONE native line (or of the run's start or end), in order. Gives the items, in order. */
  push(events: readonly HarnessEvent[]): Item[];
}

export interface FormatOptions {
  /** Messages before the last one are narration, not answer (a trait of the agent: Codex). */
  narrates?: boolean | undefined;
}
