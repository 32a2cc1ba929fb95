/** A cell that is wider than this does not move the others: there may be many of them. */
const maxWidth = 200;

/** Columns that line up, two spaces apart; the last one is as long as it is. */
export function toTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows];
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
