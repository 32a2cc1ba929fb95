import { parseOwnJson } from "../text/parse-json.js";
import { DocumentSyntaxError, type ParsedDocument } from "./toml-document.js";

const maxDepth = 64;
const space = /[ \t\r\n]*/y;
const string = /"(?:[^"\\\n]|\\.)*"/y;
const literal = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y;

/** Parses JSON. `JSON.parse` does not say on which line a mistake or a key is. */
export function parseJsonDocument(text: string): ParsedDocument {
  const lines = new Map<string, number>();
  scan(createCursor(text), lines);
  return {
    values: JSON.parse(text),
    lineOf(path) {
      for (let length = path.length; length > 0; length--) {
        const line = lines.get(JSON.stringify(path.slice(0, length)));
        if (line !== undefined) return line;
      }
      return 1;
    },
  };
}

interface Cursor {
  readonly line: number;
  readonly isAtEnd: boolean;
  fail(problem: string): never;
  skip(): void;
  /** Takes the character if it comes next, behind white space. */
  takes(character: string): boolean;
  takeString(): string | undefined;
  takeLiteral(): string | undefined;
}

function createCursor(text: string): Cursor {
  let at = 0;
  let line = 1;
  let lineStart = 0;

  function fail(problem: string): never {
    throw new DocumentSyntaxError(problem, line, at - lineStart + 1);
  }

  function take(pattern: RegExp): string | undefined {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    at += found?.length ?? 0;
    return found;
  }

  function skip(): void {
    const from = at;
    take(space);
    for (let index = from; index < at; index++) {
      if (text[index] !== "\n") continue;
      line += 1;
      lineStart = index + 1;
    }
  }

  return {
    fail,
    skip,
    get line() {
      return line;
    },
    get isAtEnd() {
      return at >= text.length;
    },
    takes(character) {
      skip();
      if (text[at] !== character) return false;
      at += 1;
      return true;
    },
    takeString() {
      const word = take(string);
      if (word === undefined) return undefined;
      const value = parseOwnJson(word);
      return typeof value === "string" ? value : fail("characters in the string before this must be escaped");
    },
    takeLiteral: () => take(literal),
  };
}

/** Finds the first mistake, and notes the line of every key and element. */
function scan(cursor: Cursor, lines: Map<string, number>): void {
  const { fail } = cursor;

  function members(path: readonly string[], end: string, member: (index: number) => void): void {
    if (path.length > maxDepth) fail(`it is nested more than ${maxDepth} deep`);
    if (cursor.takes(end)) return;
    for (let index = 0; ; index++) {
      cursor.skip();
      member(index);
      if (cursor.takes(end)) return;
      if (!cursor.takes(",")) fail(cursor.isAtEnd ? `"${end}" is missing` : `expected "," or "${end}"`);
    }
  }

  function key(path: readonly string[]): void {
    const name = cursor.takeString() ?? fail("expected a key in double quotes");
    const inner = [...path, name];
    if (lines.has(JSON.stringify(inner))) fail(`the key ${JSON.stringify(name)} is there twice`);
    lines.set(JSON.stringify(inner), cursor.line);
    if (!cursor.takes(":")) fail('expected ":"');
    value(inner);
  }

  function element(path: readonly string[]): void {
    lines.set(JSON.stringify(path), cursor.line);
    value(path);
  }

  function value(path: readonly string[]): void {
    if (cursor.takes("{")) members(path, "}", () => key(path));
    else if (cursor.takes("[")) members(path, "]", (index) => element([...path, String(index)]));
    else if (cursor.takeString() === undefined && cursor.takeLiteral() === undefined)
      fail(cursor.isAtEnd ? "the file ends too early" : "expected a value (strings need double quotes)");
  }

  value([]);
  cursor.skip();
  if (!cursor.isAtEnd) fail("expected the end of the file");
}
