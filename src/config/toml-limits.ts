/** Limits for a TOML text. Deep nesting would overflow the parser's stack; many entries would take too long. */
export interface TomlLimits {
  /** The total number of lines, keys and list elements. */
  maxEntries: number;
}

/** For nested arrays and tables, and for the parts of a dotted key. */
const maxDepth = 32;

/** The limit that was exceeded, and where. */
export interface TomlExcess {
  line: number;
  column: number;
  problem: string;
}

/** Checks the limits in one linear pass without recursion. */
export function findExcess(text: string, { maxEntries }: TomlLimits): TomlExcess | undefined {
  const token = new RegExp(tokens, "g");
  let depth = 0;
  let dots = 0;
  let entries = 0;
  let line = 1;
  let lineStart = 0;
  const excess = (problem: string, index: number): TomlExcess => ({
    line,
    column: index - lineStart + 1,
    problem,
  });
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    const [word] = found;
    const { index } = found;
    if (word === ".") dots += 1;
    else if (isSeparator.test(word)) {
      dots = 0;
      entries += 1;
    }
    if (word === "[" || word === "{") depth += 1;
    if (word === "]" || word === "}") depth -= 1;
    if (depth > maxDepth) return excess(`brackets are nested more than ${maxDepth} deep`, index);
    if (dots >= maxDepth) return excess(`a key has more than ${maxDepth} parts`, index);
    if (entries > maxEntries)
      return excess(`there are more than ${maxEntries} lines, keys and elements`, index);
    const lastBreak = word.lastIndexOf("\n");
    if (lastBreak === -1) continue;
    for (const character of word) if (character === "\n") line += 1;
    lineStart = index + lastBreak + 1;
  }
  return undefined;
}

const isSeparator = /^[[{=,\n]/;

/** Matches a comment or a string as a whole, so that its content does not count, and the single characters that do. */
const tokens = [
  "#[^\\n]*",
  '"""(?:[^"\\\\]|\\\\[\\s\\S]?|"(?!""))*(?:"""|$)',
  "'''(?:[^']|'(?!''))*(?:'''|$)",
  '"(?:[^"\\\\\\n]|\\\\.)*"?',
  "'[^'\\n]*'?",
  "[[\\]{}.=,\\n]",
].join("|");
