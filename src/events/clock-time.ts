/** A time as people write it: `Oct 9, 5pm (America/New_York)`. The parts are as they were written. */
interface ClockTime {
  month?: string | undefined;
  day?: string | undefined;
  year?: string | undefined;
  hour?: string | undefined;
  minute?: string | undefined;
  /** `am` or `pm`. Left out: a 24-hour clock, and the minutes must be given. */
  half?: string | undefined;
  /** `UTC` or a name of the time zone database. */
  zone: string;
}

const day = 86_400_000;

/**
 * The first instant after `now` at which a clock in that zone shows the time, in milliseconds. Undefined if the words
 * are not a time, or the zone is not known.
 */
export function instantOfClock(time: ClockTime, now: number): number | undefined {
  const minutes = minutesOfDay(time);
  const clock = createZoneClock(time.zone);
  if (minutes === undefined || clock === undefined || Number.isNaN(now)) return undefined;
  return daysOf(time, clock.shownAt(now))
    .map((midnight) => clock.instantOf(midnight + minutes * 60_000))
    .find((instant) => instant >= now);
}

function minutesOfDay({ hour, minute, half }: ClockTime): number | undefined {
  const hours = Number(hour);
  const minutes = Number(minute ?? 0);
  if (minutes > 59) return undefined;
  if (half === undefined) return minute === undefined || hours > 23 ? undefined : hours * 60 + minutes;
  if (hours < 1 || hours > 12) return undefined;
  return ((hours % 12) + (half.toLowerCase() === "pm" ? 12 : 0)) * 60 + minutes;
}

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** The possible days, as midnights of the zone's own calendar. Without a date: today, or else tomorrow. */
function daysOf(time: ClockTime, shown: number): number[] {
  const today = Math.floor(shown / day) * day;
  if (time.month === undefined) return [today, today + day];
  const month = months.indexOf(time.month.slice(0, 3).toLowerCase());
  const date = Number(time.day);
  if (month < 0) return [];
  const thisYear = new Date(shown).getUTCFullYear();
  const years = time.year === undefined ? [thisYear, thisYear + 1] : [Number(time.year)];
  return years
    .map((year) => Date.UTC(year, month, date))
    .filter((midnight) => new Date(midnight).getUTCDate() === date);
}

/** Converts between instants and what a clock of the zone shows. What it shows is written as if it were UTC. */
function createZoneClock(
  zone: string,
): { shownAt(instant: number): number; instantOf(shown: number): number } | undefined {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat("en-US", { timeZone: zone, hourCycle: "h23", ...numericParts });
  } catch {
    return undefined;
  }
  const shownAt = (instant: number): number => {
    const part: Record<string, number> = {};
    for (const { type, value } of format.formatToParts(instant)) part[type] = Number(value);
    const { year = 0, month = 1, day: date = 1, hour = 0, minute = 0, second = 0 } = part;
    return Date.UTC(year, month - 1, date, hour, minute, second) + (instant % 1000);
  };
  const instantOf = (shown: number): number => {
    const guess = shown - (shownAt(shown) - shown);
    // The offset at the guess may differ from the one at `shown`, close to a change of the clocks.
    return guess - (shownAt(guess) - shown);
  };
  return { shownAt, instantOf };
}

const numericParts = {
  year: "numeric",
  month: "numeric",
  day: "numeric",
  hour: "numeric",
  minute: "numeric",
  second: "numeric",
} as const;
