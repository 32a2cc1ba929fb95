/** Undefined if a time is not known, or if the clock was set back in between. */
export function millisecondsBetween(start: string | undefined, end: string): number | undefined {
  if (start === undefined) return undefined;
  const duration = Date.parse(end) - Date.parse(start);
  return duration >= 0 ? duration : undefined;
}

/**
 * The time of an event, given the time of the event before it. Times within a run never go back, even if the clock was set
 * back or a recording holds invalid times. So sorting events by time keeps their order.
 */
export function laterOf(before: string, at: string | undefined): string {
  if (at === undefined || at === before) return before;
  return Date.parse(at) >= Date.parse(before) ? at : before;
}
