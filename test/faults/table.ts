import type { Row } from "./fault.js";

const head = ["fault", "tried", "survived", "events lost", "processes left"];

/** The rows as a Markdown table. */
export function toTable(rows: readonly Row[]): string {
  const cells = rows.map((row) => [
    row.skipped === undefined ? row.name : `${row.name} (not tried: ${row.skipped})`,
    String(row.tried),
    String(row.survived),
    String(row.eventsLost),
    String(row.processesLeft),
  ]);
  const widths = head.map((title, column) =>
    Math.max(title.length, ...cells.map((row) => (row[column] ?? "").length)),
  );
  const toLine = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0))).join(" | ")} |`;
  const rule = widths.map((width, column) =>
    column === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`,
  );
  return [toLine(head), `| ${rule.join(" | ")} |`, ...cells.map(toLine)].join("\n");
}
