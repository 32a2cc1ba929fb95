import { type Line, plainTextOf, type Segment } from "../line.js";
import { wrapText } from "../wrap.js";

/** Breaks text with styles into rows. */
export function wrapSpans(spans: readonly Segment[], columns: number): Line[] {
  const flat = spans.map((span) => ({ ...span, text: span.text.replaceAll("\t", "    ") }));
  const whole = plainTextOf(flat);
  const rows: Line[] = [];
  let at = 0;
  for (const row of wrapText(whole, columns)) {
    // Between two rows there is nothing but white space.
    const start = whole.indexOf(row, at);
    at = start + row.length;
    rows.push(row === "" ? [] : sliceSpans(flat, start, at));
  }
  return rows;
}

function sliceSpans(spans: readonly Segment[], start: number, end: number): Line {
  const slices: Segment[] = [];
  let at = 0;
  for (const { text, style } of spans) {
    const piece = text.slice(Math.max(0, start - at), Math.max(0, end - at));
    if (piece !== "") slices.push({ text: piece, style });
    at += text.length;
  }
  return slices;
}
