/** No file operation is this long, nor has this much syntax in it: what exceeds a limit stays a command, unparsed. */
const longestScript = 32_768;

/**
 * unbash 6.0.3 takes quadratic time on unclosed `{` and `$[`, and exponential time and memory on here-documents in
 * nested substitutions, where twenty of them already take seconds.
 */
const limits: readonly { readonly tokens: readonly string[]; readonly most: number }[] = [
  { tokens: ["<<"], most: 8 },
  { tokens: ["$["], most: 8 },
  { tokens: ["{", "[", "(", "`"], most: 200 },
];

/**
 * A shell called with quoted words holds no syntax to get lost in, whatever script is in the quotes; agents write whole
 * files that way. Linux runs no argument longer than this.
 */
const longestArgument = 131_072;
const quotedPiece = String.raw`'[^']*'|"(?:[^"\\$\x60]|\\[\s\S])*"|\\[\s\S]|[\w./:=@%+,-]`;
const shell = String.raw`(?:/[\w./-]*)?\b(?:ba|z|da)?sh`;
const shellWithQuotedWords = new RegExp(`^[ \\t\\n]*${shell}(?:[ \\t]+(?:${quotedPiece})+)+[ \\t\\n]*$`);

/** Whether the parser is sure to be quick with this text. */
export function isQuickToParse(script: string): boolean {
  if (script.length <= longestScript && limits.every((limit) => isWithin(limit, script))) return true;
  return script.length <= longestArgument && shellWithQuotedWords.test(script);
}

function isWithin({ tokens, most }: (typeof limits)[number], script: string): boolean {
  let count = 0;
  for (const token of tokens) {
    for (let at = script.indexOf(token); at !== -1; at = script.indexOf(token, at + token.length)) {
      if (++count > most) return false;
    }
  }
  return true;
}
