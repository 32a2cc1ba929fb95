import { cleanText } from "../text/clean-text.js";

/** A cell that is wider than this does not move the others: there may be many of them. */
const maxWidth = 200;

/** Columns that line up, two spaces apart; the last one is as long as it is. */
export function toTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows].map((row) => row.map(toCell));
  const widths = head.map((_title, column) =>
    Math.min(maxWidth, Math.max(...all.map((row) => (row[column] ?? "").length))),
  );
  return all
    .map((row) =>
      row
        .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
        .join("  "),
    )
    .map((line) => `${line.trimEnd()}\n`)
    .join("");
}

/** Wherever a cell comes from, it is one row and nothing but text. */
function toCell(text: string): string {
  return cleanText(text)
    .replace(/\s*\n\s*/g, " ↵ ")
    .replaceAll("\t", " ");
}
