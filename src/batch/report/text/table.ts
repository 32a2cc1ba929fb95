import { cutEnd } from "../../../outputs/text/cut.js";
import type { Line, Segment, Style } from "../../../outputs/text/line.js";
import { widthOf } from "../../../outputs/text/width.js";
import { cleanLine } from "../../../text/cut.js";

export interface Column {
  title: string;
  isNumber?: boolean | undefined;
  /** Longer values are cut. */
  maxWidth?: number | undefined;
}

/** A value, with its style if it has one. */
export type TableCell = string | Segment;

const gap = "  ";

/** Aligned rows below their titles. Columns at the end that do not fit into the width are left out. */
export function toTableLines(
  columns: readonly Column[],
  rows: readonly (readonly TableCell[])[],
  width: number,
): Line[] {
  const shown = rows.map((row) => columns.map((column, at) => toSegment(row[at] ?? "", column)));
  const widths = columns.map(({ title }, at) =>
    Math.max(widthOf(title), ...shown.map((row) => widthOf(row[at]?.text ?? ""))),
  );
  const count = columnsThatFit(widths, width);
  const titles = columns.map(({ title }): Segment => ({ text: title, style: "dim" }));
  return [titles, ...shown].map((row) => toLine(row.slice(0, count), columns, widths));
}

function toSegment(cell: TableCell, { maxWidth = 40 }: Column): Segment {
  const { text, style } = typeof cell === "string" ? { text: cell, style: undefined } : cell;
  return { text: cutEnd(cleanLine(text), maxWidth), style };
}

function columnsThatFit(widths: readonly number[], width: number): number {
  let used = 0;
  const beyond = widths.findIndex((columnWidth, at) => {
    used += columnWidth + (at === 0 ? 0 : gap.length);
    return used > width;
  });
  return beyond === -1 ? widths.length : Math.max(1, beyond);
}

function toLine(row: readonly Segment[], columns: readonly Column[], widths: readonly number[]): Line {
  return row.flatMap(({ text, style }, at): Segment[] => {
    const padding = " ".repeat(Math.max(0, (widths[at] ?? 0) - widthOf(text)));
    const segment = { text, style };
    const between = at === 0 ? [] : [{ text: gap }];
    if (columns[at]?.isNumber) return [...between, { text: padding }, segment];
    return at === row.length - 1 ? [...between, segment] : [...between, segment, { text: padding }];
  });
}

export function styled(text: string, style: Style | undefined): Segment {
  return { text, style };
}
