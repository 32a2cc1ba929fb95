/** Times for people. */

const units: readonly [string, number][] = [
  ["w", 7 * 86_400_000],
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1000],
];

/** `12s ago`, `3h ago`, `5w ago`: in the units that `--since` takes. */
export function formatAge(timestamp: string, now: number): string {
  const age = Math.max(0, now - Date.parse(timestamp));
  const [unit, size] = units.find(([, length]) => age >= length) ?? ["s", 1000];
  return `${Math.floor(age / size)}${unit} ago`;
}

/** `2026-11-15 19:13:02`, in local time. */
export function formatMoment(timestamp: string): string {
  const time = new Date(timestamp);
  const parts = [time.getMonth() + 1, time.getDate(), time.getHours(), time.getMinutes(), time.getSeconds()];
  const [month, day, hours, minutes, seconds] = parts.map((part) => String(part).padStart(2, "0"));
  return `${time.getFullYear()}-${month}-${day} ${hours}:${minutes}:${seconds}`;
}
