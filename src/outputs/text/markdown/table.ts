import { type Line, plainTextOf, type Segment } from "../line.js";
import { widthOf } from "../width.js";
import { parseSpans } from "./inline.js";
import { type Alignment, readCells } from "./lines.js";
import { wrapSpans } from "./wrap-spans.js";

/** A table as it was written: its titles, how its columns are aligned, and the lines of its rows. */
export interface TableSource {
  titles: string;
  alignments: readonly Alignment[];
  rows: readonly string[];
}

type Cell = readonly Segment[];

const gap = 2;
/** Narrower columns break most words: then each cell gets a row of its own. */
const leastColumn = 8;

/** Columns side by side, broken between words if they must; below each other if the terminal is too narrow. */
export function toTableRows(table: TableSource, columns: number, hasColors: boolean): Line[] {
  const titles = readCells(table.titles).map((cell) => spansOf(cell, hasColors, "bold"));
  const rows = table.rows.map((row) => readCells(row).map((cell) => spansOf(cell, hasColors)));
  const count = Math.max(titles.length, ...rows.map((row) => row.length));
  const widths = fitWidths(naturalWidths([titles, ...rows], count), columns);
  if (widths === undefined) return rows.flatMap((row, index) => toRecord(titles, row, columns, index > 0));
  const layOut = (row: readonly Cell[]): Line[] => layOutRow(row, widths, table.alignments);
  const rule: Line = [{ text: widths.map((width) => "─".repeat(width)).join(" ".repeat(gap)), style: "dim" }];
  return [...layOut(titles), rule, ...rows.flatMap(layOut)];
}

function spansOf(cell: string, hasColors: boolean, style?: "bold"): Cell {
  return parseSpans(cell.replace(/<br\s*\/?>/gi, " "), hasColors, style);
}

function naturalWidths(rows: readonly (readonly Cell[])[], count: number): number[] {
  return Array.from({ length: count }, (_, column) =>
    Math.max(1, ...rows.map((row) => widthOf(plainTextOf(row[column] ?? [])))),
  );
}

/** The widest columns become narrower until the table fits. Undefined if they would become too narrow. */
function fitWidths(natural: readonly number[], columns: number): number[] | undefined {
  const available = columns - gap * (natural.length - 1);
  let limit = Math.max(...natural);
  const sum = (): number => natural.reduce((total, width) => total + Math.min(width, limit), 0);
  while (sum() > available && limit > leastColumn) limit -= 1;
  return sum() > available ? undefined : natural.map((width) => Math.min(width, limit));
}

function layOutRow(
  row: readonly Cell[],
  widths: readonly number[],
  alignments: readonly Alignment[],
): Line[] {
  const cells = widths.map((width, column) => wrapSpans(row[column] ?? [], width));
  const height = Math.max(1, ...cells.map((lines) => lines.length));
  return Array.from({ length: height }, (_, index) => {
    const line = widths.flatMap((width, column) => [
      ...(column === 0 ? [] : [{ text: " ".repeat(gap) }]),
      ...align(cells[column]?.[index] ?? [], width, alignments[column] ?? "left"),
    ]);
    return withoutTrailingSpace(line);
  });
}

function align(line: Line, width: number, alignment: Alignment): Line {
  const free = Math.max(0, width - widthOf(plainTextOf(line)));
  const before = { left: 0, right: free, center: Math.floor(free / 2) }[alignment];
  return [{ text: " ".repeat(before) }, ...line, { text: " ".repeat(free - before) }];
}

function withoutTrailingSpace(line: Line): Line {
  const last = line.findLastIndex(({ text }) => text.trim() !== "");
  return line.slice(0, last + 1);
}

/** `Title: value`, a row for each cell. An empty row separates records. */
function toRecord(titles: readonly Cell[], row: readonly Cell[], columns: number, isNext: boolean): Line[] {
  const count = Math.max(titles.length, row.length);
  const rows = Array.from({ length: count }, (_, column) => {
    const title = titles[column] ?? [];
    const separator = title.length === 0 ? [] : [{ text: ": " }];
    return wrapSpans([...title, ...separator, ...(row[column] ?? [])], columns);
  });
  return [...(isNext ? [[]] : []), ...rows.flat()];
}
