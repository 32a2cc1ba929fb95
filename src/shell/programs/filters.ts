import { type OptionTable, scanWords } from "../options.js";
import type { SimpleCommand } from "../parse-script.js";
import { filtersWithGrep } from "./grep.js";
import { aboutTheProgram } from "./refused-options.js";
import { filtersWithRipgrep } from "./ripgrep.js";
import { isStandardInput } from "./search-words.js";

/** True if a command after a pipe reads only the pipe and writes only to its output. */
type Filter = (command: SimpleCommand) => boolean;

const cut: OptionTable = {
  dialect: "gnu",
  short: "bcdf",
  long: ["bytes", "characters", "delimiter", "fields", "output-delimiter"],
  refused: aboutTheProgram,
};
const sort: OptionTable = {
  dialect: "gnu",
  short: "STkot",
  long: [
    "batch-size",
    "buffer-size",
    "compress-program",
    "field-separator",
    "files0-from",
    "key",
    "output",
    "parallel",
    "random-source",
    "sort",
    "temporary-directory",
  ],
  refused: [...aboutTheProgram, "-o", "--output", "--compress-program", "--files0-from", "--random-source"],
};
const tr: OptionTable = { dialect: "gnu", short: "", long: [], refused: aboutTheProgram };
const uniq: OptionTable = {
  dialect: "gnu",
  short: "fsw",
  long: ["check-chars", "skip-chars", "skip-fields"],
  refused: aboutTheProgram,
};
const wc: OptionTable = {
  dialect: "gnu",
  short: "",
  long: ["files0-from", "total"],
  refused: [...aboutTheProgram, "--files0-from"],
};

export const filters: ReadonlyMap<string, Filter> = new Map<string, Filter>([
  ["cut", createFilter(cut)],
  ["sort", createFilter(sort)],
  ["tr", ({ words }) => scanWords(words, tr) !== undefined],
  ["uniq", createFilter(uniq)],
  ["wc", createFilter(wc)],
  ["grep", filtersWithGrep],
  ["egrep", filtersWithGrep],
  ["fgrep", filtersWithGrep],
  ["rg", filtersWithRipgrep],
]);

/** A program whose operands are files. If it has one, it does not read the pipe. */
function createFilter(options: OptionTable): Filter {
  return ({ words }) => scanWords(words, options)?.operands.every(isStandardInput) ?? false;
}
