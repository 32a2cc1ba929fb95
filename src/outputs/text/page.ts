import { cleanText } from "../../text/clean-text.js";
import type { Line, Segment, Style } from "./line.js";
import { wrapText } from "./wrap.js";

/** The kind of block that a row belongs to. An empty row separates blocks of different kinds. */
export type BlockKind = "head" | "turn" | "speech" | "thought" | "work" | "output" | "closing";

/** Rows of text with the same style, below a first row that may begin with a mark. */
export interface Paragraph {
  text: string;
  style?: Style | undefined;
  mark?: Segment | undefined;
  /** How deep in subagents it is. */
  depth?: number | undefined;
  /** Further rows are left out, and a row says how many. */
  maxRows?: number | undefined;
}

/** The finished rows. A row is never changed once it is here. */
export interface Page {
  /** Rows of this kind follow. */
  begin(kind: BlockKind): void;
  /** The same, but separated from rows of the same kind too. */
  beginNew(kind: BlockKind): void;
  row(line: Line, depth?: number): void;
  paragraph(paragraph: Paragraph): void;
  /** Returns the rows that were finished since the last call. */
  take(): Line[];
  columns: number;
  /** How many rows there were so far. */
  readonly count: number;
  /** Columns that are left at this depth. */
  columnsAt(depth: number): number;
}

/** The rows of a subagent keep at least so many columns, however deep it is. */
const fewestColumns = 14;

export function createPage(columns: number): Page {
  let rows: Line[] = [];
  let last: BlockKind | undefined;
  let count = 0;

  function shownDepth(depth: number): number {
    return Math.max(0, Math.min(depth, Math.floor((page.columns - fewestColumns) / 2), deepest));
  }

  const page: Page = {
    columns,
    begin(kind) {
      if (last !== undefined && last !== kind) rows.push([]);
      last = kind;
    },
    beginNew(kind) {
      if (last !== undefined) rows.push([]);
      last = kind;
    },
    row(line, depth = 0) {
      const shown = shownDepth(depth);
      count += 1;
      rows.push(shown === 0 ? line : [{ text: "│ ".repeat(shown), style: "dim" }, ...line]);
    },
    paragraph({ text, style, mark, depth = 0, maxRows = Number.POSITIVE_INFINITY }) {
      const indentation = mark === undefined ? "" : "  ";
      const all = wrapText(cleanText(text).trimEnd(), page.columnsAt(depth) - indentation.length);
      const shown = all.length > maxRows ? all.slice(0, maxRows - 1) : all;
      for (const [index, row] of shown.entries()) {
        const first = mark !== undefined && index === 0 ? [mark, { text: " " }] : [{ text: indentation }];
        page.row([...first, { text: row, style }], depth);
      }
      const missing = all.length - shown.length;
      if (missing > 0) page.row([{ text: `${indentation}… ${missing} more lines`, style: "dim" }], depth);
    },
    take() {
      const taken = rows;
      rows = [];
      return taken;
    },
    get count() {
      return count;
    },
    columnsAt: (depth) => page.columns - 2 * shownDepth(depth),
  };
  return page;
}

const deepest = 12;
