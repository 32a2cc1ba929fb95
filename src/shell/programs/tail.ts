import { type LineSelection, oneRange, unknownLines } from "../line-selection.js";
import { hasOption, type OptionTable, optionValues, type ScannedWords } from "../options.js";
import { createReader } from "./reader.js";
import { aboutTheProgram } from "./refused-options.js";

const options: OptionTable = {
  dialect: "gnu",
  short: "bcns",
  long: ["bytes", "lines", "max-unchanged-stats", "pid", "sleep-interval"],
  refused: aboutTheProgram,
  takesNumber: true,
};

export const readWithTail = createReader(options, selectLines);

/** Only `-n +K` says where it starts. In the old `tail +K FILE`, some versions take `+K` for a file name. */
function selectLines(scanned: ScannedWords): LineSelection | undefined {
  if (scanned.operands.some(({ value }) => /^\+\d/.test(value))) return undefined;
  if (hasOption(scanned, "-b", "-c", "--bytes", "-r", "-z", "--zero-terminated")) return unknownLines;
  const count = optionValues(scanned, "-n", "--lines", "-#").at(-1)?.value ?? "10";
  if (/^-?\d+$/.test(count)) return unknownLines;
  return /^\+\d{1,9}$/.test(count) ? oneRange({ startLine: Math.max(1, Number(count)) }) : undefined;
}
