import { programName } from "./program-name.js";
import { finders } from "./programs/finders.js";
import { readers } from "./programs/readers.js";
import { shells } from "./unwrap-shell.js";

/** A plain first word. With quotes, expansions, assignments or redirections a parser is needed. */
const plainWord = /^[ \t\n]*([\w./+-]+)(?=[ \t\n;|&()]|$)/;

/** Whether a script is worth parsing, and what for, judged by its first word. */
export interface FirstProgram {
  readonly mayBeShell: boolean;
  readonly mayBeFileOperation: boolean;
}

export function firstProgram(script: string): FirstProgram {
  const word = plainWord.exec(script)?.[1];
  if (word === undefined) return script.trim() === "" ? neither : either;
  const name = programName(word) ?? "";
  if (shells.has(name)) return shell;
  return readers.has(name) || finders.has(name) ? fileOperation : neither;
}

const neither: FirstProgram = { mayBeShell: false, mayBeFileOperation: false };
const either: FirstProgram = { mayBeShell: true, mayBeFileOperation: true };
const shell: FirstProgram = { mayBeShell: true, mayBeFileOperation: false };
const fileOperation: FirstProgram = { mayBeShell: false, mayBeFileOperation: true };
