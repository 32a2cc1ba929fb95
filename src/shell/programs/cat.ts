import { everyLine, unknownLines } from "../line-selection.js";
import { hasOption, type OptionTable } from "../options.js";
import { createReader } from "./reader.js";
import { aboutTheProgram } from "./refused-options.js";

const options: OptionTable = { dialect: "gnu", short: "", long: [], refused: aboutTheProgram };

/** Squeezed blank lines are not counted any more, so lines behind `cat -s` are not lines of the file. */
export const readWithCat = createReader(options, (scanned) =>
  hasOption(scanned, "-s", "--squeeze-blank") ? unknownLines : everyLine,
);
