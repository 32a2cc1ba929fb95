import { isTimedId } from "../../../src/events/run-id.js";
import type { RunRow } from "../../../src/server/protocol.js";

/** True if the run has every word. The words are in lower case. */
export function isFoundBy(row: RunRow, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const text = textOf(row);
  return words.every(
    (word) => text.includes(word) || isNamedBy(row.id, word) || isNamedBy(row.batch?.id, word),
  );
}

/**
 * What a search reads. Generated ids are not part of it: they contain any two letters by chance, so a search for `pi` would
 * show runs of other agents.
 */
function textOf(row: RunRow): string {
  const { id, prompt, agent, model = "", cwd, outcome, failure, batch } = row;
  const chosen = [id, batch?.id].filter((name) => name !== undefined && !isTimedId(name));
  return [...chosen, prompt, agent, model, cwd, outcome, failure?.kind, failure?.message]
    .join("\n")
    .toLowerCase();
}

/** True for the beginning of an id, as on the command line, and for its last part, which is how people read it out. */
function isNamedBy(id: string | undefined, word: string): boolean {
  const lower = id?.toLowerCase() ?? "";
  return lower.startsWith(word) || lower.endsWith(`-${word}`);
}
