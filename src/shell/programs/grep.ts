import { hasOption, type OptionTable, optionValues, type ScannedWords, scanWords } from "../options.js";
import type { SimpleCommand } from "../parse-script.js";
import type { SearchOperation } from "../shell-operation.js";
import type { ShellWord } from "../shell-word.js";
import { aboutTheProgram } from "./refused-options.js";
import { isStandardInput, toSearch } from "./search-words.js";

/** With `-f` the patterns are in a file, so the query is not known. */
const options: OptionTable = {
  dialect: "gnu",
  short: "ABCDdefm",
  long: [
    "after-context",
    "before-context",
    "binary-files",
    "context",
    "devices",
    "directories",
    "exclude",
    "exclude-dir",
    "exclude-from",
    "file",
    "group-separator",
    "include",
    "include-dir",
    "label",
    "max-count",
    "regexp",
  ],
  refused: [...aboutTheProgram, "-V", "-f", "--file"],
};

export function searchWithGrep({ words, input }: SimpleCommand): readonly SearchOperation[] | undefined {
  const scanned = scanWords(words, options);
  if (!scanned) return undefined;
  const { patterns, paths } = splitPatterns(scanned);
  const searchesFiles = paths.length > 0 || isRecursive(scanned);
  if (paths.some(isStandardInput) || searchesFiles === (input !== undefined)) return undefined;
  const search = toSearch(patterns, input === undefined ? paths : [{ value: input, expansion: "none" }]);
  return search && [search];
}

/** True if it searches only what is piped into it. */
export function filtersWithGrep({ words }: SimpleCommand): boolean {
  const scanned = scanWords(words, options);
  if (!scanned || isRecursive(scanned)) return false;
  const { patterns, paths } = splitPatterns(scanned);
  return patterns.length > 0 && paths.every(isStandardInput);
}

/** The first operand is the pattern unless an option gave one. */
export function splitPatterns(scanned: ScannedWords): {
  patterns: readonly ShellWord[];
  paths: readonly ShellWord[];
} {
  const patterns = optionValues(scanned, "-e", "--regexp");
  if (patterns.length > 0) return { patterns, paths: scanned.operands };
  return { patterns: scanned.operands.slice(0, 1), paths: scanned.operands.slice(1) };
}

function isRecursive(scanned: ScannedWords): boolean {
  return (
    hasOption(scanned, "-r", "-R", "--recursive", "--dereference-recursive") ||
    optionValues(scanned, "-d", "--directories").some(({ value }) => value === "recurse")
  );
}
