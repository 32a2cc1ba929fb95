import { type AST, getStaticTOMLValue, ParseError, parseTOML, traverseNodes } from "toml-eslint-parser";
import { findExcess, type TomlLimits } from "./toml-limits.js";

/** The values of a file, and the line of each key. */
export interface ParsedDocument {
  values: unknown;
  /** The line of a key path, or of its nearest parent in the file. */
  lineOf(path: readonly string[]): number;
}

/** A syntax error with its position. */
export class DocumentSyntaxError extends Error {
  readonly line: number;
  readonly column: number;

  constructor(message: string, line: number, column: number) {
    super(message);
    this.line = line;
    this.column = column;
  }
}

/** Far more than any configuration needs, and still parsed quickly. */
const configLimits: TomlLimits = { maxEntries: 20_000 };

/** Parses TOML. Text that would overflow the parser's stack or take too long is refused beforehand. */
export function parseToml(text: string, limits: TomlLimits = configLimits): ParsedDocument {
  const excess = findExcess(text, limits);
  if (excess !== undefined) throw new DocumentSyntaxError(excess.problem, excess.line, excess.column);
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
    if (error instanceof RangeError) throw new DocumentSyntaxError("a value is too long", 1, 1);
    throw error;
  }
}

/** The parser reports what is missing at the end of a line at the start of the next one (toml-eslint-parser 1.0.3). */
function toSyntaxError(error: ParseError, text: string): DocumentSyntaxError {
  const isMissing =
    error.column === 0 && /^(?:Expected|The key|Missing|Un(?:specified|terminated))/.test(error.message);
  const before = isMissing ? text.slice(0, error.index).trimEnd() : text.slice(0, error.index);
  const lines = before.split("\n");
  const problem = error.message.charAt(0).toLowerCase() + error.message.slice(1);
  const hint = error.message === "Unexpected character" ? " (strings need quotes)" : "";
  return new DocumentSyntaxError(problem + hint, lines.length, (lines.at(-1)?.length ?? 0) + 1);
}

/** The parser lets a key `__proto__` pollute `Object.prototype` (toml-eslint-parser 1.0.3). */
function refusePrototypeKeys(program: AST.TOMLProgram): void {
  traverseNodes(program, {
    enterNode(node) {
      const key = node.type === "TOMLBare" ? node.name : node.type === "TOMLQuoted" ? node.value : undefined;
      if (key === "__proto__")
        throw new DocumentSyntaxError(
          'the key "__proto__" is not allowed',
          node.loc.start.line,
          node.loc.start.column + 1,
        );
    },
    leaveNode() {},
  });
}

/** Notes the line of a key and of everything below it. Elements of lists and of `[[tables]]` have their number as a key. */
function note(
  node: AST.TOMLKeyValue | AST.TOMLTable,
  parent: readonly string[],
  lines: Map<string, number>,
): void {
  const path =
    node.type === "TOMLTable"
      ? node.resolvedKey.map(String)
      : [...parent, ...node.key.keys.map((key) => (key.type === "TOMLBare" ? key.name : key.value))];
  const { line } = node.loc.start;
  // `[[tasks]]` is the line of `tasks` and of `tasks.0`.
  for (const key of [path, path.slice(0, -1)])
    if (key.length > 0 && !lines.has(keyOf(key))) lines.set(keyOf(key), line);
  if (node.type === "TOMLTable") for (const child of node.body) note(child, path, lines);
  else noteValue(node.value, path, lines);
}

function noteValue(value: AST.TOMLContentNode, path: readonly string[], lines: Map<string, number>): void {
  if (value.type === "TOMLInlineTable") for (const child of value.body) note(child, path, lines);
  if (value.type !== "TOMLArray") return;
  for (const [index, element] of value.elements.entries()) {
    const key = [...path, String(index)];
    lines.set(keyOf(key), element.loc.start.line);
    noteValue(element, key, lines);
  }
}

function keyOf(path: readonly string[]): string {
  return JSON.stringify(path);
}
