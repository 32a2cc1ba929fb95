import type { Line, Style } from "./line.js";
import { widthOf } from "./width.js";
import { createWrapper } from "./wrap.js";

/** Turns text that streams into rows. A row is returned once, when nothing that follows can change it. */
export interface RowMaker {
  /** Returns the rows that are finished now. A row without segments is an empty one. */
  push(text: string): Line[];
  /** What is not finished, in one row. */
  readonly open: Line | undefined;
  /** Returns the rest. More text may follow, as a new beginning. */
  end(): Line[];
  /** The terminal has a new width. */
  resize(columns: number): Line[];
}

export type CreateRowMaker = (columns: number) => RowMaker;

/** How the rows of a text look. */
export interface PlainLook {
  style?: Style;
  /** At the beginning of every row. */
  prefix?: string;
}

/** Text as it is, broken between words. */
export function createPlainRows(columns: number, { style, prefix = "" }: PlainLook = {}): RowMaker {
  const wrapper = createWrapper(columns - widthOf(prefix));
  const toLine = (row: string): Line => (row === "" ? [] : [{ text: prefix + row, style }]);
  return {
    push: (text) => wrapper.push(text).map(toLine),
    get open() {
      return wrapper.open.trim() === "" ? undefined : toLine(wrapper.open);
    },
    end: () => wrapper.end().map(toLine),
    resize: (now) => wrapper.resize(now - widthOf(prefix)).map(toLine),
  };
}
