import type { LineSelection } from "../line-selection.js";
import { type OptionTable, type ScannedWords, scanWords } from "../options.js";
import type { ShellWord } from "../shell-word.js";

/** A program that prints lines of the files it is given, or of its standard input when it is given none. */
export interface Reading {
  readonly files: readonly ShellWord[];
  /** the lines it prints of each file */
  readonly lines: LineSelection;
}

/** Undefined when these words do not certainly just print lines. */
export type Reader = (words: readonly ShellWord[]) => Reading | undefined;

/** A reader whose operands are all files. */
export function createReader(
  options: OptionTable,
  selectLines: (scanned: ScannedWords) => LineSelection | undefined,
): Reader {
  return (words) => {
    const scanned = scanWords(words, options);
    const lines = scanned && selectLines(scanned);
    return lines && { files: scanned.operands, lines };
  };
}
