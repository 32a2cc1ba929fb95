import type { SearchOperation } from "../shell-operation.js";
import { literalText, type ShellWord } from "../shell-word.js";

/** Undefined if the query is empty or the shell expands it to several words. A glob counts as written. */
export function toSearch(
  queries: readonly ShellWord[],
  paths: readonly ShellWord[],
): SearchOperation | undefined {
  if (queries.some(({ expansion }) => expansion === "brace" || expansion === "variable")) return undefined;
  const query = queries.map(({ value }) => value).join("|");
  const path = paths.length === 1 ? literalText(paths[0]) : undefined;
  if (query === "") return undefined;
  return path === undefined ? { type: "search", query } : { type: "search", query, path };
}

export function isStandardInput({ value }: ShellWord): boolean {
  return value === "-";
}
