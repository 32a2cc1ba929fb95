const units: Record<string, number> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
};

const age = /^(\d+(?:\.\d+)?)\s*([smhdw])$/;
const date = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d))?(Z)?)?$/;

/**
 * Parses a moment as people write it: an age (`90s`, `45m`, `2h`, `3d`, `1w`), the beginning of a day (`2026-11-15`) or a
 * time (`2026-11-15 19:30`, with `Z` for UTC). Undefined when it is none of these.
 */
export function parseTime(text: string, now: Date = new Date()): Date | undefined {
  const [, count, unit = ""] = age.exec(text.trim()) ?? [];
  if (count !== undefined) return valid(new Date(now.getTime() - Number(count) * (units[unit] ?? 0)));
  const match = date.exec(text.trim());
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hours = 0, minutes = 0, seconds = 0] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined;
  if (hours > 23 || minutes > 59 || seconds > 59) return undefined;
  return match[7] === undefined
    ? new Date(year, month - 1, day, hours, minutes, seconds)
    : new Date(Date.UTC(year, month - 1, day, hours, minutes, seconds));
}

function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

function valid(moment: Date): Date | undefined {
  return Number.isNaN(moment.getTime()) ? undefined : moment;
}
