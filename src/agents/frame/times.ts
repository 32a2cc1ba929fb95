/** Undefined when either time is not known, or the clock was set back in between. */
export function millisecondsBetween(start: string | undefined, end: string): number | undefined {
  if (start === undefined) return undefined;
  const duration = Date.parse(end) - Date.parse(start);
  return duration >= 0 ? duration : undefined;
}

/**
 * The time of an event, given that of the one before it. A clock may be set back while a run goes on, and a recording may hold
 * anything: times within a run never go back, so their order is that of the events.
 */
export function laterOf(before: string, at: string | undefined): string {
  if (at === undefined || at === before) return before;
  return Date.parse(at) >= Date.parse(before) ? at : before;
}
