import { type OptionTable, scanWords } from "../options.js";
import type { SimpleCommand } from "../parse-script.js";
import type { ListOperation } from "../shell-operation.js";
import { listPaths } from "./list-paths.js";
import { aboutTheProgram } from "./refused-options.js";

/** `-o` and `-R` write files; with `--fromfile` the paths are files that hold a listing. */
const options: OptionTable = {
  dialect: "plain",
  short: "HILPTo",
  long: ["charset", "filelimit", "gitfile", "hintro", "houtro", "infofile", "sort", "timefmt"],
  refused: [...aboutTheProgram, "-o", "-R", "--fromfile", "--fromtabfile"],
};

export function listWithTree({ words, input }: SimpleCommand): readonly ListOperation[] | undefined {
  const scanned = scanWords(words, options);
  return scanned && input === undefined ? listPaths(scanned.operands) : undefined;
}
