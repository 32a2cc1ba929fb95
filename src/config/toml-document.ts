import { type AST, getStaticTOMLValue, ParseError, parseTOML, traverseNodes } from "toml-eslint-parser";
import { findExcess, type TomlLimits } from "./toml-limits.js";

/** A TOML file's values, and the line where each key stands. */
export interface TomlDocument {
  values: unknown;
  /** The line of a key path, or of its nearest parent that stands in the file. */
  lineOf(path: readonly string[]): number;
}

/** A syntax error with its place. */
export class TomlSyntaxError extends Error {
  readonly line: number;
  readonly column: number;

  constructor(message: string, line: number, column: number) {
    super(message);
    this.line = line;
    this.column = column;
  }
}

/** Far more than a configuration has, and still parsed in a moment. */
const configLimits: TomlLimits = { maxEntries: 20_000 };

/** Values of a TOML text. What would take the parser's stack or a long time is refused before it is parsed. */
export function parseToml(text: string, limits: TomlLimits = configLimits): TomlDocument {
  const excess = findExcess(text, limits);
  if (excess !== undefined) throw new TomlSyntaxError(excess.problem, excess.line, excess.column);
  const program = parseProgram(text);
  refusePrototypeKeys(program);
  const lines = new Map<string, number>();
  for (const node of program.body[0].body) note(node, [], lines);
  return {
    values: getStaticTOMLValue(program),
    lineOf(path) {
      for (let length = path.length; length > 0; length--) {
        const line = lines.get(keyOf(path.slice(0, length)));
        if (line !== undefined) return line;
      }
      return 1;
    },
  };
}

function parseProgram(text: string): AST.TOMLProgram {
  try {
    return parseTOML(text);
  } catch (error) {
    if (error instanceof ParseError) throw toSyntaxError(error, text);
    // The parser puts every character of a value on the stack (toml-eslint-parser 1.0.3).
    if (error instanceof RangeError) throw new TomlSyntaxError("a value in it is too long", 1, 1);
    throw error;
  }
}

/** What is missing at the end of a line is reported at the beginning of the next (toml-eslint-parser 1.0.3). */
function toSyntaxError(error: ParseError, text: string): TomlSyntaxError {
  const isMissing =
    error.column === 0 && /^(?:Expected|The key|Missing|Un(?:specified|terminated))/.test(error.message);
  const before = isMissing ? text.slice(0, error.index).trimEnd() : text.slice(0, error.index);
  const lines = before.split("\n");
  const problem = error.message.charAt(0).toLowerCase() + error.message.slice(1);
  const hint = error.message === "Unexpected character" ? " (texts need quotes)" : "";
  return new TomlSyntaxError(problem + hint, lines.length, (lines.at(-1)?.length ?? 0) + 1);
}

/** A key `__proto__` would change every object of the process (toml-eslint-parser 1.0.3). */
function refusePrototypeKeys(program: AST.TOMLProgram): void {
  traverseNodes(program, {
    enterNode(node) {
      const key = node.type === "TOMLBare" ? node.name : node.type === "TOMLQuoted" ? node.value : undefined;
      if (key === "__proto__")
        throw new TomlSyntaxError(
          'the key "__proto__" is not allowed',
          node.loc.start.line,
          node.loc.start.column + 1,
        );
    },
    leaveNode() {},
  });
}

function note(
  node: AST.TOMLKeyValue | AST.TOMLTable,
  parent: readonly string[],
  lines: Map<string, number>,
): void {
  const path = [...parent, ...node.key.keys.map((key) => (key.type === "TOMLBare" ? key.name : key.value))];
  const key = keyOf(path);
  if (!lines.has(key)) lines.set(key, node.loc.start.line);
  if (node.type === "TOMLTable") for (const child of node.body) note(child, path, lines);
  else if (node.value.type === "TOMLInlineTable")
    for (const child of node.value.body) note(child, path, lines);
}

function keyOf(path: readonly string[]): string {
  return JSON.stringify(path);
}
