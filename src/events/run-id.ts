/**
 * A new run id, `20261115-191302-k3f9x2` (UTC). Ids sort by time to the millisecond and are unique. They are not secret, so
 * `Math.random` is enough; the cryptographic generator takes ten milliseconds to start.
 */
export function createRunId(now: Date = new Date()): string {
  const random = Math.floor(Math.random() * 36 ** 4)
    .toString(36)
    .padStart(4, "0");
  return startOfId(now) + random;
}

/** The prefix of ids of runs started at this time. */
export function startOfId(time: Date): string {
  const digits = time.toISOString().replace(/\D/g, "");
  const milliseconds = time.getUTCMilliseconds().toString(36).padStart(2, "0");
  return `${digits.slice(0, 8)}-${digits.slice(8, 14)}-${milliseconds}`;
}

/** The shape that `createRunId` gives: date, time (UTC), milliseconds in base 36 and a random part. */
const timedId = /^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)-([0-9a-z]{2})[0-9a-z]{4}$/;

/** True for generated ids, false for custom ones. */
export function isTimedId(id: string): boolean {
  return timedId.test(id);
}

/** When the run of an id was started. Undefined for ids that people chose. */
export function timeOfId(id: string): number | undefined {
  const match = timedId.exec(id);
  if (match === null) return undefined;
  const [year, month, day, hours, minutes, seconds] = match.slice(1, 7).map(Number);
  if (year === undefined || month === undefined) return undefined;
  return Date.UTC(year, month - 1, day, hours, minutes, seconds, Number.parseInt(match[7] ?? "0", 36));
}

const allowed = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** A run id is used as a file name, as an argument of the watchdog and as the value of a variable. */
export function isRunId(text: string): boolean {
  return allowed.test(text);
}
