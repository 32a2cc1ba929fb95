import type { TurnItem } from "./items.js";
import type { Row } from "./thin-out.js";

/** The rows of one turn of a live session, up to the next turn. */
export interface TurnRows {
  turn: TurnItem;
  rows: Row[];
}

/** The rows before the first turn (all rows of a one-shot run), and those of each turn. */
export function splitTurns(rows: readonly Row[]): { before: Row[]; turns: TurnRows[] } {
  const before: Row[] = [];
  const turns: TurnRows[] = [];
  for (const row of rows) {
    if (row.kind === "turn") turns.push({ turn: row, rows: [] });
    else (turns.at(-1)?.rows ?? before).push(row);
  }
  return { before, turns };
}
