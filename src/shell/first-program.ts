import { programName } from "./program-name.js";
import { finders } from "./programs/finders.js";
import { readers } from "./programs/readers.js";
import { shells } from "./unwrap-shell.js";

/** A plain first word. With quotes, expansions, assignments or redirections a parser is needed. */
const plainWord = /^[ \t\n]*([\w./+-]+)(?=[ \t\n;|&()]|$)/;

/** Whether a script is worth parsing, judged by its first word. */
export function mayBeginWithFileOperation(script: string): boolean {
  const word = plainWord.exec(script)?.[1];
  return word === undefined ? script.trim() !== "" : isFileProgram(programName(word) ?? "");
}

export function mayBeginWithShell(line: string): boolean {
  const word = plainWord.exec(line)?.[1];
  return word === undefined ? line.trim() !== "" : shells.has(programName(word) ?? "");
}

function isFileProgram(name: string): boolean {
  return readers.has(name) || finders.has(name);
}
