import { everyLine, unknownLines } from "../line-selection.js";
import { hasOption, type OptionTable } from "../options.js";
import { readWithHead } from "./head.js";
import { readWithNl } from "./nl.js";
import { createReader, type Reader } from "./reader.js";
import { aboutTheProgram } from "./refused-options.js";
import { readWithSed } from "./sed.js";
import { readWithTail } from "./tail.js";

const catOptions: OptionTable = { dialect: "gnu", short: "", long: [], refused: aboutTheProgram };

/** `cat -s` removes blank lines, so line numbers of its output are not those of the file. */
const readWithCat = createReader(catOptions, (scanned) =>
  hasOption(scanned, "-s", "--squeeze-blank") ? unknownLines : everyLine,
);

/** Programs that print lines: of files, or as a filter of what is piped into them. */
export const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ["cat", readWithCat],
  ["head", readWithHead],
  ["nl", readWithNl],
  ["sed", readWithSed],
  ["tail", readWithTail],
]);
