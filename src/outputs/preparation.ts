import type { EventType, HarnessEvent } from "../events/event.js";

const types: ReadonlySet<EventType> = new Set(["started", "session", "warning", "unknown"]);

/**
 * True for events that may come before the first turn of a live session. A prompt that is given as an option waits for
 * something else: it is not shown if it is that of a turn.
 */
export function isPreparation({ type }: HarnessEvent): boolean {
  return types.has(type);
}
