import { cutEnd } from "../../../outputs/text/cut.js";
import { type Line, plainTextOf, type Segment, type Style } from "../../../outputs/text/line.js";
import { widthOf } from "../../../outputs/text/width.js";
import { cleanLine } from "../../../text/cut.js";

export interface Column {
  title: string;
  isNumber?: boolean | undefined;
  /** Longer values are cut. */
  maxWidth?: number | undefined;
}

/** A value, with its style if it has one; or several. */
export type TableCell = string | Segment | Line;

const gap = "  ";

/** Aligned rows below their titles. Empty columns are left out, and columns at the end that do not fit into the width. */
export function toTableLines(
  allColumns: readonly Column[],
  allRows: readonly (readonly TableCell[])[],
  width: number,
): Line[] {
  const isUsed = (at: number): boolean => at === 0 || allRows.some((row) => (row[at] ?? "") !== "");
  const columns = allColumns.filter((_column, at) => isUsed(at));
  const rows = allRows.map((row) => row.filter((_cell, at) => isUsed(at)));
  const shown = rows.map((row) => columns.map((column, at) => toShown(row[at] ?? "", column)));
  const widths = columns.map(({ title }, at) =>
    Math.max(widthOf(title), ...shown.map((row) => widthOf(plainTextOf(row[at] ?? [])))),
  );
  const count = columnsThatFit(widths, width);
  const titles = columns.map(({ title }): Line => [{ text: title, style: "dim" }]);
  return [titles, ...shown].map((row) => toLine(row.slice(0, count), columns, widths, width));
}

function toShown(cell: TableCell, { maxWidth = 40 }: Column): Line {
  const segments: Line = typeof cell === "string" ? [{ text: cell }] : "text" in cell ? [cell] : cell;
  const clean = segments.map(({ text, style }) => ({ text: cleanLine(text), style }));
  if (widthOf(plainTextOf(clean)) <= maxWidth) return clean;
  const [first] = clean;
  return [
    { text: cutEnd(plainTextOf(clean), maxWidth), style: clean.length === 1 ? first?.style : undefined },
  ];
}

function columnsThatFit(widths: readonly number[], width: number): number {
  let used = 0;
  const beyond = widths.findIndex((columnWidth, at) => {
    used += columnWidth + (at === 0 ? 0 : gap.length);
    return used > width;
  });
  return beyond === -1 ? widths.length : Math.max(1, beyond);
}

function toLine(
  row: readonly Line[],
  columns: readonly Column[],
  widths: readonly number[],
  width: number,
): Line {
  return row.flatMap((segments, at): Segment[] => {
    const shown =
      row.length === 1 ? segments.map(({ text, style }) => ({ text: cutEnd(text, width), style })) : segments;
    const padding = { text: " ".repeat(Math.max(0, (widths[at] ?? 0) - widthOf(plainTextOf(shown)))) };
    const between = at === 0 ? [] : [{ text: gap }];
    if (columns[at]?.isNumber) return [...between, padding, ...shown];
    return at === row.length - 1 ? [...between, ...shown] : [...between, ...shown, padding];
  });
}

export function styled(text: string, style: Style | undefined): Segment {
  return { text, style };
}
