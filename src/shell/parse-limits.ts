/** File operations are never this long and never have this much syntax. A script above a limit stays a command and is not parsed. */
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
 * A shell that is called with quoted words is quick to parse, whatever script is in the quotes. Agents write whole files
 * that way. Linux does not accept longer arguments.
 */
const longestArgument = 131_072;
const quotedPiece = String.raw`'[^']*'|"(?:[^"\\$\x60]|\\[\s\S])*"|\\[\s\S]|[\w./:=@%+,-]`;
const shell = String.raw`(?:/[\w./-]*)?\b(?:ba|z|da)?sh`;
const shellWithQuotedWords = new RegExp(`^[ \\t\\n]*${shell}(?:[ \\t]+(?:${quotedPiece})+)+[ \\t\\n]*$`);

/** A script of at most this length without these tokens is within every limit. Most scripts are. */
const shortScript = 200;
const rareToken = /<<|\$\[/;

/** True if the parser is certainly quick with this text. */
export function isQuickToParse(script: string): boolean {
  if (script.length <= shortScript && !rareToken.test(script)) return true;
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
