/** The rule for lengths of time that people write, to follow the name of a key or an option. */
export const durationRule =
  'must be a length of time such as "90s", "10m" or "1h30m", or a number of seconds';

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const part = /(\d+(?:\.\d+)?)\s*(ms|[smhd])\s*/y;

/**
 * A length of time in milliseconds: `90s`, `10m`, `1h30m`, `1.5h`, `500ms`. A plain number is seconds. Undefined if it is
 * none of these, or not above 0.
 */
export function parseDuration(given: string | number): number | undefined {
  const text = String(given).trim();
  const milliseconds = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) * 1000 : sumOfParts(text);
  return milliseconds !== undefined && Number.isFinite(milliseconds) && milliseconds > 0
    ? milliseconds
    : undefined;
}

/** Units only become smaller: `5m1h` and `5m5m` are mistakes. */
function sumOfParts(text: string): number | undefined {
  let sum = 0;
  let smallest = Number.POSITIVE_INFINITY;
  part.lastIndex = 0;
  for (let at = 0; at < text.length; at = part.lastIndex) {
    const [, count, unit = ""] = part.exec(text) ?? [];
    const size = units[unit];
    if (count === undefined || size === undefined || size >= smallest) return undefined;
    smallest = size;
    sum += Number(count) * size;
  }
  return sum;
}
