import type { Row } from "./fault.js";
import type { Measured } from "./memory.js";

/** The results of the faults, as a Markdown table. */
export function toFaultTable(rows: readonly Row[]): string {
  const head = ["fault", "tried", "survived", "events lost", "processes left"];
  return toMarkdown(
    head,
    rows.map((row) => [
      row.skipped === undefined ? row.name : `${row.name} (not tried: ${row.skipped})`,
      ...[row.tried, row.survived, row.eventsLost, row.processesLeft].map(String),
    ]),
  );
}

/** The peak memory of each load, as a Markdown table. */
export function toMemoryTable(rows: readonly Measured[]): string {
  const head = ["what the agent prints", "MB printed", "peak memory (MB)"];
  return toMarkdown(
    head,
    rows.map((row) => [row.name, String(row.megabytes), String(row.peakMegabytes)]),
  );
}

/** The first column is text; the others are numbers. */
function toMarkdown(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => (row[column] ?? "").length)),
  );
  const toLine = (row: readonly string[]): string => {
    const cells = widths.map((width, column) =>
      column === 0 ? (row[column] ?? "").padEnd(width) : (row[column] ?? "").padStart(width),
    );
    return `| ${cells.join(" | ")} |`;
  };
  const rule = widths.map((width, column) =>
    column === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`,
  );
  return [toLine(head), `| ${rule.join(" | ")} |`, ...rows.map(toLine)].join("\n");
}
