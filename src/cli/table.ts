import { cutEnd, cutMiddle } from "../outputs/text/cut.js";
import type { Line, Segment, Style } from "../outputs/text/line.js";
import { widthOf } from "../outputs/text/width.js";
import { cleanText } from "../text/clean-text.js";

/** A wider cell does not widen its column. */
const maxWidth = 200;
const gap = 2;
/** A text that is cut to less says nothing. */
const shortestText = 6;

/** Aligns columns, two spaces apart. The last column is not padded. */
export function toTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows].map((row) => row.map(toCell));
  const widths = head.map((_title, column) =>
    Math.min(
      maxWidth,
      all.reduce((most, row) => Math.max(most, widthOf(row[column] ?? "")), 0),
    ),
  );
  return all
    .map((row) =>
      row
        .map((cell, column) => (column === row.length - 1 ? cell : cell + paddingOf(cell, widths[column])))
        .join("  "),
    )
    .map((line) => `${line.trimEnd()}\n`)
    .join("");
}

/** One column of a table that fits into its screen. */
export interface FittedColumn<Row> {
  title: string;
  text(row: Row): string;
  style?(row: Row): Style | undefined;
  isNumber?: true;
  /** On a screen that is too narrow, the column with the lowest rank is left out first. Without a rank it stays. */
  rank?: number;
  /** Cells are cut to the room that is left, but not to fewer columns than this. Without it they are shown whole. */
  least?: number;
  /** Cells are never wider than this. */
  most?: number;
  /** In a path, the end matters most. */
  isPath?: true;
}

interface Measured<Row> extends FittedColumn<Row> {
  cells: string[];
  /** What its widest cell needs. */
  natural: number;
  width: number;
}

/** A table that fits into so many columns: less important columns are left out, and long texts are cut. The first row has the titles. */
export function toFittedTable<Row>(
  all: readonly FittedColumn<Row>[],
  rows: readonly Row[],
  columns: number,
): Line[] {
  const kept = toFitting(
    all.map((column) => measure(column, rows)),
    columns,
  );
  const titles = toRow(kept, (column) => ({ text: column.title, style: "dim" }));
  const body = rows.map((row, at) =>
    toRow(kept, (column) => ({ text: column.cells[at] ?? "", style: column.style?.(row) })),
  );
  return [titles, ...body];
}

function measure<Row>(column: FittedColumn<Row>, rows: readonly Row[]): Measured<Row> {
  const { title, most = maxWidth } = column;
  const cells = rows.map((row) => toCell(column.text(row)));
  const widest = cells.reduce((width, cell) => Math.max(width, widthOf(cell)), widthOf(title));
  const natural = Math.min(widest, most);
  return { ...column, cells, natural, width: Math.min(natural, column.least ?? natural) };
}

/** Leaves out what does not fit, and shares the rest among the columns that can grow, from left to right. */
function toFitting<Row>(measured: readonly Measured<Row>[], columns: number): Measured<Row>[] {
  let kept = [...measured];
  while (needed(kept) > columns) {
    const [least] = kept
      .filter(({ rank }) => rank !== undefined)
      .sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0));
    if (least === undefined) break;
    kept = kept.filter((column) => column !== least);
  }
  // Nothing more can be left out: texts that may be cut are cut further, but stay there.
  let left = columns - needed(kept);
  return kept.map((column) => {
    const more =
      left < 0 && column.least !== undefined
        ? Math.max(left, Math.min(0, shortestText - column.width))
        : Math.min(column.natural - column.width, Math.max(0, left));
    left -= more;
    return { ...column, width: column.width + more };
  });
}

function needed(columns: readonly { width: number }[]): number {
  return columns.reduce((sum, { width }) => sum + width, Math.max(0, columns.length - 1) * gap);
}

function toRow<Row>(columns: readonly Measured<Row>[], cellOf: (column: Measured<Row>) => Segment): Line {
  const segments = columns.flatMap((column, at): Segment[] => {
    const { text, style } = cellOf(column);
    const { width, isNumber = false } = column;
    const shown = column.isPath ? cutMiddle(text, width) : cutEnd(text, width);
    const isLast = at === columns.length - 1;
    const padding = paddingOf(shown, width);
    const between = { text: at === 0 ? "" : " ".repeat(gap) };
    if (isNumber) return [{ text: between.text + padding }, { text: shown, style }];
    return [between, { text: shown, style }, { text: isLast ? "" : padding }];
  });
  // A last cell that is empty leaves no white space behind.
  const end = segments.findLastIndex(({ text }) => text.trim() !== "");
  return segments.slice(0, end + 1);
}

function paddingOf(text: string, width = 0): string {
  return " ".repeat(Math.max(0, width - widthOf(text)));
}

/** A cell may quote anything. It stays on one row, and is plain text. */
function toCell(text: string): string {
  return cleanText(text)
    .replace(/\s*\n\s*/g, " ↵ ")
    .replaceAll("\t", " ");
}
