import { type OptionTable, optionValues, type ScannedWords, scanWords } from "../options.js";
import type { SimpleCommand } from "../parse-script.js";
import type { SearchOperation } from "../shell-operation.js";
import type { ShellWord } from "../shell-word.js";
import { aboutTheProgram } from "./refused-options.js";
import { toSearch } from "./search-words.js";

const options: OptionTable = {
  dialect: "rust",
  short: "CESXcdejotx",
  long: [
    "and",
    "base-directory",
    "batch-size",
    "change-newer-than",
    "change-older-than",
    "changed-after",
    "changed-before",
    "changed-within",
    "color",
    "exact-depth",
    "exclude",
    "exec",
    "exec-batch",
    "extension",
    "format",
    "ignore-contain",
    "ignore-file",
    "max-buffer-time",
    "max-depth",
    "max-results",
    "maxdepth",
    "min-depth",
    "mindepth",
    "newer",
    "older",
    "owner",
    "path-separator",
    "search-path",
    "size",
    "threads",
    "type",
  ],
  refused: [...aboutTheProgram, "-h", "-V", "-x", "-X", "--exec", "--exec-batch", "--gen-completions"],
};

export function searchWithFd({ words, input }: SimpleCommand): readonly SearchOperation[] | undefined {
  const scanned = scanWords(words, options);
  if (!scanned || input !== undefined) return undefined;
  const [pattern, ...operands] = scanned.operands;
  const paths = [...operands, ...optionValues(scanned, "--search-path")];
  const search = toSearch(pattern ? [pattern] : extensions(scanned), fromBase(scanned, paths));
  return search && [search];
}

/** Without a pattern `fd` finds every name, or every name with the given extensions. */
function extensions(scanned: ScannedWords): readonly ShellWord[] {
  const given = optionValues(scanned, "-e", "--extension");
  if (given.length === 0) return [{ value: "*", expansion: "none" }];
  return given.map((word) => ({ ...word, value: `*.${word.value.replace(/^\.+/, "")}` }));
}

/** `fd -C DIR` searches DIR, and other paths would be relative to it. */
function fromBase(scanned: ScannedWords, paths: readonly ShellWord[]): readonly ShellWord[] {
  const base = optionValues(scanned, "-C", "--base-directory");
  if (base.length === 0) return paths;
  return paths.length === 0 ? base : [];
}
