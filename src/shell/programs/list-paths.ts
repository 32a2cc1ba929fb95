import type { ListOperation } from "../shell-operation.js";
import { literalText, type ShellWord } from "../shell-word.js";

/** One list per path. Undefined for a glob: it does not name a single directory, and a list without a path would name the wrong one. */
export function listPaths(paths: readonly ShellWord[]): readonly ListOperation[] | undefined {
  if (paths.length === 0) return [{ type: "list" }];
  const lists: ListOperation[] = [];
  for (const word of paths) {
    const path = literalText(word);
    if (path === undefined) return undefined;
    lists.push({ type: "list", path });
  }
  return lists;
}
