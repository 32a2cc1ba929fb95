import { type OptionTable, scanWords } from "../options.js";
import type { SimpleCommand } from "../parse-script.js";
import type { ListOperation } from "../shell-operation.js";
import { listPaths } from "./list-paths.js";
import { aboutTheProgram } from "./refused-options.js";

/** `-T` and `-D` take a value on one system and none on another. */
const options: OptionTable = {
  dialect: "gnu",
  short: "Iw",
  long: [
    "block-size",
    "format",
    "hide",
    "ignore",
    "indicator-style",
    "quoting-style",
    "sort",
    "tabsize",
    "time",
    "time-style",
    "width",
  ],
  refused: [...aboutTheProgram, "-T", "-D"],
};

export function listWithLs({ words, input }: SimpleCommand): readonly ListOperation[] | undefined {
  const scanned = scanWords(words, options);
  return scanned && input === undefined ? listPaths(scanned.operands) : undefined;
}
