import { cleanText } from "./clean-text.js";

/** Agent output as a reader may see it: no terminal escapes, no control characters, nothing hidden. */
export const toVisibleText: (text: string) => string = cleanText;

/** The same on one line, at most so many characters long. */
export function toVisibleLine(text: string, maxCharacters: number): string {
  const line = cleanText(text.slice(0, maxCharacters * 8))
    .trim()
    .replace(/\n+/g, " ");
  const characters = [...line.slice(0, maxCharacters * 2 + 2)];
  if (characters.length <= maxCharacters) return line;
  const kept = characters.slice(0, maxCharacters - 1).join("");
  return `${kept.trimEnd()}…`;
}
