import { instantOfClock } from "./clock-time.js";

/**
 * When the limit that a message speaks of ends (ISO 8601), or undefined if that is not certain. `saidAt` is when the
 * message was printed. Without it, only times that name their date and their time zone can be understood.
 *
 * @example
 * retryTimeIn("Please try again in 1h 5m.", "2026-11-17T10:00:00.000Z"); // "2026-11-17T11:05:00.000Z"
 */
export function retryTimeIn(text: string, saidAt?: string): string | undefined {
  const examined = text.slice(0, maxExamined);
  const now = timeOf(saidAt);
  for (const rule of rules) {
    const found = rule.pattern.exec(examined);
    const time = found === null ? undefined : rule.time(found, now);
    if (time !== undefined && isPlausible(time, now)) return new Date(time).toISOString();
  }
  return undefined;
}

/** A date with its time zone, as ISO 8601 in UTC. Undefined if the text is not such a date. */
export function toInstant(date: string | undefined): string | undefined {
  if (date === undefined || !dateWithZone.test(date)) return undefined;
  const time = Date.parse(date);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

/** Longer than any message about a limit. */
const maxExamined = 8192;
const longestLimit = 400 * 86_400_000;
const earliest = Date.UTC(2020, 0, 1);
const latest = Date.UTC(2100, 0, 1);

/** NaN if the time is not known. Translators without times begin at 1970. */
function timeOf(saidAt: string | undefined): number {
  const time = saidAt === undefined ? Number.NaN : Date.parse(saidAt);
  return time >= earliest && time < latest ? time : Number.NaN;
}

/** A limit ends after it was reported, and not years later. */
function isPlausible(time: number, now: number): boolean {
  if (Number.isNaN(now)) return time >= earliest && time < latest;
  return time >= now && time - now <= longestLimit;
}

interface Rule {
  pattern: RegExp;
  /** Milliseconds since 1970, or undefined if the words are not certain after all. */
  time(found: RegExpExecArray, now: number): number | undefined;
}

const dateWithZone = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)? ?(?:Z|UTC|GMT|[+-]\d\d:?\d\d)$/;
const again = String.raw`\b(?:try again|retry|resets?|renews?|available again)`;
const units = "(?:days?|d|hours?|hrs?|h|minutes?|mins?|m|seconds?|secs?|s|ms)";
const duration = String.raw`\d{1,7}(?:\.\d{1,9})? ?${units}(?:(?:,? and |, ?| )?\d{1,7}(?:\.\d{1,9})? ?${units}){0,3}`;

/** What agents and providers say, the most exact first. */
const rules: readonly Rule[] = [
  // Claude Code 1.x: `Claude AI usage limit reached|1748876400`.
  { pattern: /\blimit reached\|(\d{10})\b/, time: ([, seconds]) => Number(seconds) * 1000 },
  // The body of OpenAI's usage limit.
  { pattern: /\bresets_at["']?\s*[:=]\s*["']?(\d{10})\b/, time: ([, seconds]) => Number(seconds) * 1000 },
  {
    pattern: /\bresets_in_seconds["']?\s*[:=]\s*["']?(\d{1,8})\b/,
    time: ([, seconds], now) => now + Number(seconds) * 1000,
  },
  {
    pattern: new RegExp(
      String.raw`${again}(?: (?:at|on|after))?:? (\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)? ?(?:Z|UTC|GMT|[+-]\d\d:?\d\d))(?![\w:])`,
      "i",
    ),
    time: ([, date]) => toMilliseconds(toInstant(date)),
  },
  {
    pattern: /\bretry[-_ ]after["']?\s*[:=]\s*["']?\w{3}, (\d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT)/i,
    time: ([, date]) => toMilliseconds(date),
  },
  {
    pattern:
      /\bretry[-_ ]after(?:[-_]s(?:econds)?)?["']?\s*[:=]\s*["']?(\d{1,7})(?: ?s(?:ec(?:onds)?)?)?(?![\w.])/i,
    time: ([, seconds], now) => now + Number(seconds) * 1000,
  },
  // `try again in 20s`, `Resets in 89h`, `Your quota will reset after 11h32m5s.`
  {
    pattern: new RegExp(String.raw`${again} (?:in|after) (${duration})(?![\w:])(?!\.\d)`, "i"),
    time: ([, words = ""], now) => now + millisecondsOf(words),
  },
  // Anthropic's API: `You will regain access on 2026-12-01 at 00:00 UTC.`
  {
    pattern: /\bregain access on (\d{4}-\d\d-\d\d) at (\d\d:\d\d) UTC\b/i,
    time: ([, date, time]) => toMilliseconds(`${date}T${time}Z`),
  },
  // The delay of Google's `RetryInfo`.
  {
    pattern: new RegExp(String.raw`\bretryDelay["']?\s*[:=]\s*["']?(${duration})(?![\w:])`),
    time: ([, words = ""], now) => now + millisecondsOf(words),
  },
  // Claude Code: `resets 9:42pm (UTC)`, `resets Oct 9, 5pm (America/New_York)`. Without its zone a time is ambiguous.
  {
    pattern:
      /\b(?:resets?|try again)(?: at| on)?:? (?:([A-Z][a-z]{2,8})\.? (\d{1,2})(?:, (\d{4}))?,?(?: at)? )?(\d{1,2})(?::(\d\d))? ?([ap]m)? \(?((?:[A-Z][A-Za-z_]+\/)?[A-Z][A-Za-z_/+\-\d]{1,40})\)?/i,
    time: ([, month, day, year, hour, minute, half, zone = ""], now) =>
      instantOfClock({ month, day, year, hour, minute, half, zone }, now),
  },
];

function toMilliseconds(date: string | undefined): number | undefined {
  const time = date === undefined ? Number.NaN : Date.parse(date);
  return Number.isNaN(time) ? undefined : time;
}

/** `1h 5m`, `1 hour and 5 minutes`, `34.07s`, `500ms`. */
function millisecondsOf(words: string): number {
  let total = 0;
  for (const [, amount, unit = ""] of words.matchAll(/(\d+(?:\.\d+)?) ?([a-z]+)/gi))
    total += Number(amount) * millisecondsOfUnit(unit.toLowerCase());
  return Math.round(total);
}

function millisecondsOfUnit(unit: string): number {
  if (unit === "ms") return 1;
  const byLetter: Record<string, number> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 };
  return byLetter[unit.charAt(0)] ?? Number.NaN;
}
