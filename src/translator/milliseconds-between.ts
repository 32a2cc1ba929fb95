/** Undefined when either time is not known, or the clock was set back in between. */
export function millisecondsBetween(start: string | undefined, end: string): number | undefined {
  if (start === undefined) return undefined;
  const duration = Date.parse(end) - Date.parse(start);
  return duration >= 0 ? duration : undefined;
}
