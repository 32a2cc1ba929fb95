import { cleanText } from "../text/clean-text.js";

/** A wider cell does not widen its column. */
const maxWidth = 200;

/** Aligns columns, two spaces apart. The last column is not padded. */
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

/** A cell may quote anything. It stays on one row, and is plain text. */
function toCell(text: string): string {
  return cleanText(text)
    .replace(/\s*\n\s*/g, " ↵ ")
    .replaceAll("\t", " ");
}
