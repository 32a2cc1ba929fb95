import type { SimpleCommand } from "../parse-script.js";
import type { SearchOperation } from "../shell-operation.js";
import type { ShellWord } from "../shell-word.js";
import { wantedNames } from "./find-expression.js";
import { toSearch } from "./search-words.js";

const leadingOption = /^-(?:[HLPEXdsx]+|O\d+)$/;
const startsExpression = /^(?:-.|[()!,]$)/;
/** What `find` does by default. They are not part of the query. */
const defaultActions = new Set(["-print", "-print0"]);

/**
 * The query is the names looked for (`-name`, `-path`, `-regex` …). If the expression has no names, the
 * expression itself is the query (`-type f -mtime -1`). Without an expression the query is `*`.
 */
export function searchWithFind({ words, input }: SimpleCommand): readonly SearchOperation[] | undefined {
  if (input !== undefined) return undefined;
  const afterOptions = words.slice(countWhile(words, ({ value }) => leadingOption.test(value)));
  const pathCount = countWhile(afterOptions, ({ value }) => !startsExpression.test(value));
  const paths = afterOptions.slice(0, pathCount);
  const expression = afterOptions.slice(pathCount);
  if (expression.some(isSeveralWords) || paths.some(({ expansion }) => expansion === "variable"))
    return undefined;
  const names = wantedNames(expression.map(({ value }) => value));
  if (names === undefined) return undefined;
  const search = toSearch([{ value: toQuery(names, expression), expansion: "none" }], paths);
  return search && [search];
}

function toQuery(names: readonly string[], expression: readonly ShellWord[]): string {
  if (names.length > 0) return names.join("|");
  const tests = expression.map(({ value }) => value).filter((value) => !defaultActions.has(value));
  return tests.length > 0 ? tests.join(" ") : "*";
}

function isSeveralWords({ expansion }: ShellWord): boolean {
  return expansion === "brace" || expansion === "variable";
}

function countWhile<Item>(items: readonly Item[], test: (item: Item) => boolean): number {
  const index = items.findIndex((item) => !test(item));
  return index === -1 ? items.length : index;
}
