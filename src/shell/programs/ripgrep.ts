import { hasOption, type OptionTable, optionValues, type ScannedWords, scanWords } from "../options.js";
import type { SimpleCommand } from "../parse-script.js";
import type { ShellOperation } from "../shell-operation.js";
import { splitPatterns } from "./grep.js";
import { listPaths } from "./list-paths.js";
import { aboutTheProgram } from "./refused-options.js";
import { isStandardInput, toSearch } from "./search-words.js";

/** With `-f` the query is not known; `--pre` and `--hostname-bin` run programs; with an index the paths are indexes. */
const options: OptionTable = {
  dialect: "rust",
  short: "ABCEMTdefgjmrt",
  long: [
    "after-context",
    "before-context",
    "color",
    "colors",
    "context",
    "context-separator",
    "dfa-size-limit",
    "encoding",
    "engine",
    "field-context-separator",
    "field-match-separator",
    "file",
    "generate",
    "glob",
    "hostname-bin",
    "hyperlink-format",
    "iglob",
    "ignore-file",
    "max-columns",
    "max-count",
    "max-depth",
    "maxdepth",
    "max-filesize",
    "path-separator",
    "pre",
    "pre-glob",
    "regex-size-limit",
    "regexp",
    "replace",
    "sort",
    "sortr",
    "threads",
    "type",
    "type-add",
    "type-clear",
    "type-not",
    "x-path",
  ],
  refused: [
    ...aboutTheProgram,
    "-h",
    "-V",
    "-f",
    "--file",
    "--pre",
    "--hostname-bin",
    "--generate",
    "--type-list",
    "--pcre2-version",
    "-X",
    "--index",
    "--x-crud",
    "--x-force",
    "--x-path",
  ],
};

export function searchWithRipgrep({ words, input }: SimpleCommand): readonly ShellOperation[] | undefined {
  const scanned = scanWords(words, options);
  if (!scanned) return undefined;
  if (hasOption(scanned, "--files")) return input === undefined ? findFiles(scanned) : undefined;
  const { patterns, paths } = splitPatterns(scanned);
  if (paths.some(isStandardInput) || (paths.length > 0 && input !== undefined)) return undefined;
  const search = toSearch(patterns, input === undefined ? paths : [{ value: input, expansion: "none" }]);
  return search && [search];
}

/** True if it searches only what is piped into it. */
export function filtersWithRipgrep({ words }: SimpleCommand): boolean {
  const scanned = scanWords(words, options);
  if (!scanned || hasOption(scanned, "--files")) return false;
  const { patterns, paths } = splitPatterns(scanned);
  return patterns.length > 0 && paths.every(isStandardInput);
}

/** `rg --files` prints file names: a search for the globs it was given, a list when it was given none to look for. */
function findFiles(scanned: ScannedWords): readonly ShellOperation[] | undefined {
  const globs = optionValues(scanned, "-g", "--glob", "--iglob").filter(
    ({ value }) => !value.startsWith("!"),
  );
  if (globs.length === 0) return listPaths(scanned.operands);
  const search = toSearch(globs, scanned.operands);
  return search && [search];
}
