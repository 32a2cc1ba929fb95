import type { SimpleCommand } from "../parse-script.js";
import type { ShellOperation } from "../shell-operation.js";
import { searchWithFd } from "./fd.js";
import { searchWithFind } from "./find.js";
import { searchWithGrep } from "./grep.js";
import { listWithLs } from "./ls.js";
import { searchWithRipgrep } from "./ripgrep.js";
import { listWithTree } from "./tree.js";

/** Undefined if it is not certain that the command is a search or a list. */
export type Finder = (command: SimpleCommand) => readonly ShellOperation[] | undefined;

/** Programs that search and list. */
export const finders: ReadonlyMap<string, Finder> = new Map<string, Finder>([
  ["egrep", searchWithGrep],
  ["fd", searchWithFd],
  ["fdfind", searchWithFd],
  ["fgrep", searchWithGrep],
  ["find", searchWithFind],
  ["grep", searchWithGrep],
  ["ls", listWithLs],
  ["rg", searchWithRipgrep],
  ["tree", listWithTree],
]);

/** Programs that exit 1 if nothing matched. */
export const matchers: ReadonlySet<string> = new Set(["grep", "egrep", "fgrep", "rg"]);
