const allowed = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/**
 * A new run id, such as `20261115-191302-k3f9x2` (UTC). Ids are unique and sort by time to the millisecond. They are not
 * secret: a cryptographic random source takes ten milliseconds to start.
 */
export function createRunId(now: Date = new Date()): string {
  const digits = now.toISOString().replace(/\D/g, "");
  const milliseconds = now.getUTCMilliseconds().toString(36).padStart(2, "0");
  const random = Math.floor(Math.random() * 36 ** 4)
    .toString(36)
    .padStart(4, "0");
  return `${digits.slice(0, 8)}-${digits.slice(8, 14)}-${milliseconds}${random}`;
}

/** A run id is used as a file name, as an argument of the watchdog and as the value of an environment variable. */
export function isRunId(text: string): boolean {
  return allowed.test(text);
}
