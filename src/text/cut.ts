import { cleanText } from "./clean-text.js";

/*
 * Cutting text, by characters. No surrogate pair is ever split. The terminal cuts by columns: `outputs/text/cut.ts`.
 */

export const ellipsis = "…";

/** A text whose middle may have been left out. */
export interface CutText {
  head: string;
  /** Empty if nothing is left out. */
  tail: string;
  /** How many characters are missing between the two. */
  omitted: number;
}

/** The beginning and the end of a long text: what went wrong is said at the end. */
export function cutText(text: string, maxCharacters: number): CutText {
  if (text.length <= maxCharacters) return { head: text, tail: "", omitted: 0 };
  const tailLength = Math.floor(maxCharacters / 4);
  const headEnd = betweenPairs(text, maxCharacters - tailLength);
  const tailStart = Math.max(headEnd, betweenPairs(text, text.length - tailLength));
  return { head: text.slice(0, headEnd), tail: text.slice(tailStart), omitted: tailStart - headEnd };
}

/** The beginning of a text, at most so many UTF-16 units long. An ellipsis follows if something is missing. */
export function cutEndOf(text: string, units: number): string {
  return text.length <= units ? text : firstUnits(text, units) + ellipsis;
}

/** The maximum length of a line in a stream, in code points. */
const lineLength = 240;
/** Only this much of a text is examined: enough for a full line even if it begins with many escapes. */
const maxExamined = 4096;

/** Any text as one safe line of at most 240 characters (code points). Line breaks become spaces. The suffix survives the cut. */
export function toOneLine(text: string, suffix = ""): string {
  const line = cleanText(firstUnits(text, maxExamined).replace(/[\r\n\u2028\u2029]+/g, " "));
  return firstCharacters(line.replaceAll("\n", " ").trimEnd(), lineLength - suffix.length) + suffix;
}

/** Any text as one safe line of at most so many characters (code points). It ends with an ellipsis if it was cut. */
export function toVisibleLine(text: string, maxCharacters: number): string {
  const line = cleanText(firstUnits(text, maxCharacters * 8))
    .trim()
    .replace(/\n+/g, " ");
  if (firstCharacters(line, maxCharacters) === line) return line;
  return firstCharacters(line, maxCharacters - 1).trimEnd() + ellipsis;
}

/** As much of a text as one row of a terminal may need. */
const rowExamined = 8192;

/** Any text as one safe row, to be cut to the columns of a terminal. Line breaks show as `↵`, other white space is one space. */
export function cleanLine(text: string): string {
  return cleanText(firstUnits(text, rowExamined))
    .trim()
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n[\n ]*/g, " ↵ ");
}

/** The first characters (code points) of a text. */
function firstCharacters(text: string, count: number): string {
  if (text.length <= count) return text;
  let end = 0;
  for (let taken = 0; taken < count && end < text.length; taken += 1) end += isPairAt(text, end) ? 2 : 1;
  return text.slice(0, end);
}

/** The beginning of a text, at most so many UTF-16 units long. */
function firstUnits(text: string, units: number): string {
  return text.length <= units ? text : text.slice(0, betweenPairs(text, units));
}

function isPairAt(text: string, index: number): boolean {
  return (text.codePointAt(index) ?? 0) > 0xffff;
}

/** The index, or the one before it where it would split a surrogate pair. */
function betweenPairs(text: string, index: number): number {
  return isPairAt(text, index - 1) ? index - 1 : index;
}
