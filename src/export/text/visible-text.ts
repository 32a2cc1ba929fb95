import { stripEscapes } from "../../translator/escapes.js";

/**
 * Characters that change how the text around them reads while they cannot be seen themselves: marks and
 * overrides of direction, and the tag characters that can hide a whole message.
 */
const hidden = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|\udb40[\udc00-\udc7f]/g;

/** Agent output as a reader may see it: no terminal escapes, no control characters, nothing hidden. */
export function toVisibleText(text: string): string {
  return stripEscapes(text).replace(hidden, nameOf);
}

function nameOf(character: string): string {
  return `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}]`;
}

/** The same on one line, at most so many characters long. */
export function toVisibleLine(text: string, maxCharacters: number): string {
  const line = toVisibleText(text.slice(0, maxCharacters * 8).replace(/[\r\n\u2028\u2029]+/g, " ")).trim();
  const characters = [...line.slice(0, maxCharacters * 2 + 2)];
  if (characters.length <= maxCharacters) return line;
  return `${characters
    .slice(0, maxCharacters - 1)
    .join("")
    .trimEnd()}…`;
}
