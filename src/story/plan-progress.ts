import type { PlanEntry } from "../events/live-event.js";

/** How far the agent has come with its to-do list. */
export interface PlanProgress {
  /** `1 of 3 done`. */
  words: string;
  /** What it works on. Not yet safe to show. */
  current?: string;
  isDone: boolean;
}

export function progressOf(entries: readonly PlanEntry[]): PlanProgress {
  const done = entries.filter(({ status }) => status === "completed").length;
  const current = entries.find(({ status }) => status === "in_progress")?.content;
  return {
    words: entries.length === 0 ? "empty" : `${done} of ${entries.length} done`,
    ...(current !== undefined && { current }),
    isDone: entries.length > 0 && done === entries.length,
  };
}

/** True if two lists have the same entries, whatever their states are. */
export function hasSameEntries(one: readonly PlanEntry[], other: readonly PlanEntry[]): boolean {
  return one.length === other.length && one.every(({ content }, at) => content === other[at]?.content);
}

/** True if nothing has changed between two lists. */
export function isSamePlan(one: readonly PlanEntry[], other: readonly PlanEntry[]): boolean {
  return hasSameEntries(one, other) && one.every(({ status }, at) => status === other[at]?.status);
}
