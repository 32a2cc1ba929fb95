import { type LineSelection, oneRange, unknownLines } from "../line-selection.js";
import { hasOption, type OptionTable, optionValues, type ScannedWords } from "../options.js";
import { createReader } from "./reader.js";
import { aboutTheProgram } from "./refused-options.js";

const options: OptionTable = {
  dialect: "gnu",
  short: "cn",
  long: ["bytes", "lines"],
  refused: aboutTheProgram,
  takesNumber: true,
};

export const readWithHead = createReader(options, selectLines);

/** Options that count bytes, or exclude the last lines, do not name line numbers. Zero lines are not a read. */
function selectLines(scanned: ScannedWords): LineSelection | undefined {
  if (hasOption(scanned, "-c", "--bytes", "-z", "--zero-terminated")) return unknownLines;
  const count = optionValues(scanned, "-n", "--lines", "-#").at(-1)?.value ?? "10";
  if (/^-\d+$/.test(count)) return unknownLines;
  const endLine = /^\d{1,9}$/.test(count) ? Number(count) : 0;
  return endLine > 0 ? oneRange({ startLine: 1, endLine }) : undefined;
}
