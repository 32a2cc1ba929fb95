import { everyLine } from "../line-selection.js";
import type { OptionTable } from "../options.js";
import { createReader } from "./reader.js";
import { aboutTheProgram } from "./refused-options.js";

const options: OptionTable = {
  dialect: "gnu",
  short: "bdfhilnsvw",
  long: [
    "body-numbering",
    "footer-numbering",
    "header-numbering",
    "join-blank-lines",
    "line-increment",
    "number-format",
    "number-separator",
    "number-width",
    "section-delimiter",
    "starting-line-number",
  ],
  refused: aboutTheProgram,
};

/** Prints one line per input line, numbered or not. */
export const readWithNl = createReader(options, () => everyLine);
