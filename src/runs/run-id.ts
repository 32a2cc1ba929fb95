const allowed = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/**
 * A new run id, `20261115-191302-k3f9x2` (UTC): sorts by time to the millisecond, and is unique. It is no secret:
 * numbers fit for one take ten milliseconds to get ready.
 */
export function createRunId(now: Date = new Date()): string {
  const digits = now.toISOString().replace(/\D/g, "");
  const milliseconds = now.getUTCMilliseconds().toString(36).padStart(2, "0");
  const random = Math.floor(Math.random() * 36 ** 4)
    .toString(36)
    .padStart(4, "0");
  return `${digits.slice(0, 8)}-${digits.slice(8, 14)}-${milliseconds}${random}`;
}

/** A run id is a file name, a word for the watchdog and the value of a variable. */
export function isRunId(text: string): boolean {
  return allowed.test(text);
}
