import type { Line } from "../../outputs/text/line.js";
import { widthOf } from "../../outputs/text/width.js";

/** Rows of the screen, and where the cursor is in them. */
export interface PromptRows {
  rows: Line[];
  cursor: { row: number; column: number };
}

export interface PromptOptions {
  text: string;
  cursor: number;
  /** In front of the first row. Others are indented by as much. */
  mark: string;
  /** Shown while the line is empty. */
  placeholder: string;
  columns: number;
  maxRows: number;
}

/** A pasted text may be huge: only so many characters around the cursor are laid out. */
const laidOut = 4000;
const segmenter = new Intl.Segmenter();

/** The line that is being typed, broken into rows. Of a long one, the rows around the cursor are shown. */
export function layOutPrompt(options: PromptOptions): PromptRows {
  const { mark, placeholder, columns, maxRows } = options;
  const indentation = widthOf(mark);
  // The last column stays free: terminals disagree about where the cursor is behind it.
  const width = Math.max(2, columns - indentation - 1);
  if (options.text === "") {
    const hint = { text: placeholder.slice(0, width), style: "dim" } as const;
    return { rows: [[{ text: mark, style: "accent" }, hint]], cursor: { row: 0, column: indentation } };
  }
  const { texts, row, column } = breakRows(excerpt(options), width);
  const first = Math.max(0, Math.min(row - Math.floor(maxRows / 2), texts.length - maxRows));
  const shown = texts.slice(first, first + maxRows);
  const rows = shown.map((text, index) => [
    index === 0 ? ({ text: mark, style: "accent" } as const) : { text: " ".repeat(indentation) },
    { text },
  ]);
  return { rows, cursor: { row: row - first, column: column + indentation } };
}

function excerpt({ text, cursor }: PromptOptions): { text: string; cursor: number } {
  if (text.length <= laidOut) return { text, cursor };
  const start = Math.max(0, cursor - laidOut / 2);
  return { text: text.slice(start, start + laidOut), cursor: cursor - start };
}

interface Broken {
  texts: string[];
  /** The place of the cursor. */
  row: number;
  column: number;
}

function breakRows({ text, cursor }: { text: string; cursor: number }, width: number): Broken {
  const texts: string[] = [];
  let open = "";
  let column = 0;
  let place: { row: number; column: number } | undefined;
  for (const { segment, index } of segmenter.segment(text)) {
    const isBreak = segment === "\n" || segment === "\r\n";
    const shown = segment === "\t" ? "  " : segment;
    const columns = isBreak ? 0 : widthOf(shown);
    if (!isBreak && column + columns > width) {
      texts.push(open);
      open = "";
      column = 0;
    }
    if (place === undefined && index >= cursor) place = { row: texts.length, column };
    if (isBreak) {
      texts.push(open);
      open = "";
      column = 0;
    } else {
      open += shown;
      column += columns;
    }
  }
  place ??= { row: texts.length, column };
  return { texts: [...texts, open], ...place };
}
