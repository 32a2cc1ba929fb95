/** Linux runs no argument longer than this, so no `bash -c` script is longer either. */
const longestScript = 131_072;

/**
 * unbash 6.0.3 takes quadratic time on unclosed `{` and `$[`, and exponential time and memory on here-documents in
 * nested substitutions: 20 of them take seconds. No file operation comes near these counts, so what exceeds them stays
 * a command unparsed.
 */
const limits: readonly { readonly token: RegExp; readonly most: number }[] = [
  { token: /<</g, most: 8 },
  { token: /[{[(`]/g, most: 200 },
];

/**
 * A shell called with one quoted word holds no syntax to get lost in, whatever the script in the word is. Agents wrap
 * whole files in here-documents that way.
 */
const quotedPiece = String.raw`'[^']*'|"(?:[^"\\$\x60]|\\[^])*"|\\[^]|[\w./:=@%+,-]`;
const quotedArguments = new RegExp(`^[ \\t\\n]*[\\w./-]+(?:[ \\t]+(?:${quotedPiece})+)+[ \\t\\n]*$`);

/** Whether the parser is sure to be quick with this text. */
export function isQuickToParse(script: string): boolean {
  if (script.length > longestScript) return false;
  if (limits.every(({ token, most }) => occursAtMost(script, token, most))) return true;
  return quotedArguments.test(script);
}

function occursAtMost(text: string, token: RegExp, most: number): boolean {
  let count = 0;
  for (const _ of text.matchAll(token)) if (++count > most) return false;
  return true;
}
