import { cleanText } from "../text/clean-text.js";

/** As a person would type it into a shell. Invisible characters are written as escapes, in `$'…'`. */
export function quote(word: string): string {
  if (word.includes("\n") || word.includes("\t") || cleanText(word) !== word)
    return `$'${escapeUnseen(word)}'`;
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Characters that are invisible or look like another become their bytes, which mean the same in any locale. */
function escapeUnseen(word: string): string {
  return word.replace(/[^ -~]|['\\]/gu, (character) => {
    const name = named[character];
    if (name !== undefined) return name;
    if (cleanText(character) === character) return character;
    return [...Buffer.from(character)].map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("");
  });
}

const named: Readonly<Record<string, string>> = {
  "\n": "\\n",
  "\t": "\\t",
  "\r": "\\r",
  "'": "\\'",
  "\\": "\\\\",
};
