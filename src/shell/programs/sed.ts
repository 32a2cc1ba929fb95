import { hasOption, type OptionTable, optionValues, scanWords } from "../options.js";
import { literalText, type ShellWord } from "../shell-word.js";
import type { Reading } from "./reader.js";
import { aboutTheProgram } from "./refused-options.js";
import { printedLines } from "./sed-script.js";

/** `-l` takes a value with GNU and none with BSD. */
const options: OptionTable = {
  dialect: "gnu",
  short: "ef",
  long: ["expression", "file", "line-length"],
  refused: [
    ...aboutTheProgram,
    "-i",
    "-I",
    "--in-place",
    "-f",
    "--file",
    "-z",
    "--null-data",
    "-l",
    "--line-length",
    "--debug",
  ],
};

/** `sed -n` with a script that only prints lines by their numbers. */
export function readWithSed(words: readonly ShellWord[]): Reading | undefined {
  const scanned = scanWords(words, options);
  if (!scanned || !hasOption(scanned, "-n", "--quiet", "--silent")) return undefined;
  const expressions = optionValues(scanned, "-e", "--expression");
  const scripts = expressions.length > 0 ? expressions : scanned.operands.slice(0, 1);
  const files = expressions.length > 0 ? scanned.operands : scanned.operands.slice(1);
  // sed counts on from file to file, so with several files the numbers are not those of any file.
  if (files.length > 1 && !hasOption(scanned, "-s", "--separate")) return undefined;
  const lines = printedLines(scripts.map((script) => literalText(script) ?? "").join("\n"));
  return lines && { files, lines };
}
