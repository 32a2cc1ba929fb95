import type { LineSelection } from "../line-selection.js";
import { type OptionTable, type ScannedWords, scanWords } from "../options.js";
import type { ShellWord } from "../shell-word.js";

/** A program that prints lines of its files, or of standard input if it has none. */
export interface Reading {
  readonly files: readonly ShellWord[];
  /** The lines of each file that it prints. */
  readonly lines: LineSelection;
}

/** Undefined if it is not certain that the words only print lines. */
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
