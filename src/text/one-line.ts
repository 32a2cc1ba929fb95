import { stripEscapes } from "./escapes.js";

const maxCharacters = 240;
/** As much of a text as is looked at: enough for a full line even when it begins with many escapes. */
const maxExamined = 4096;

/**
 * Any text as one line of at most 240 characters (code points) without terminal escapes. Line breaks
 * become spaces. The suffix survives the cut.
 */
export function toOneLine(text: string, suffix = ""): string {
  const line = stripEscapes(cutBetweenCharacters(text, maxExamined).replace(/[\r\n\u2028\u2029]+/g, " "));
  return cutToCharacters(line.trimEnd(), maxCharacters - suffix.length) + suffix;
}

/** The first characters of a text; a surrogate pair is one character and is never split. */
function cutToCharacters(text: string, count: number): string {
  if (text.length <= count) return text;
  let end = 0;
  for (let taken = 0; taken < count && end < text.length; taken += 1) end += isPairAt(text, end) ? 2 : 1;
  return text.slice(0, end);
}

/** At most so many UTF-16 units. */
function cutBetweenCharacters(text: string, units: number): string {
  if (text.length <= units) return text;
  return text.slice(0, isPairAt(text, units - 1) ? units - 1 : units);
}

function isPairAt(text: string, index: number): boolean {
  return (text.codePointAt(index) ?? 0) > 0xffff;
}
