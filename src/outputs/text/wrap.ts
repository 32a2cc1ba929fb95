import { lengthThatFits, widthOf } from "./width.js";

const tabStop = 4;

/** Breaks text into rows between words, as the text streams. */
export interface Wrapper {
  /** Returns the rows that are complete now. */
  push(text: string): string[];
  /** The row that is being written. */
  readonly open: string;
  /** Returns the rest. */
  end(): string[];
  /** The terminal has a new width. */
  resize(columns: number): string[];
}

export function createWrapper(initialColumns: number): Wrapper {
  let columns = initialColumns;
  let open = "";
  /** The open row continues one that was broken: if nothing follows, it is not an empty row. */
  let isContinuation = false;

  function breakOpenRow(rows: string[]): void {
    for (;;) {
      const end = lengthThatFits(open, columns);
      if (end === 0 || end >= open.length) return;
      const at = breakBefore(open, end);
      rows.push(open.slice(0, at).trimEnd());
      open = open.slice(at).trimStart();
      isContinuation = true;
    }
  }

  function write(text: string, rows: string[]): void {
    const [first = "", ...tabbed] = text.split("\t");
    open += isContinuation && open === "" ? first.trimStart() : first;
    for (const piece of tabbed) open += " ".repeat(tabStop - (widthOf(open) % tabStop)) + piece;
    breakOpenRow(rows);
  }

  function endRow(rows: string[]): void {
    if (open !== "" || !isContinuation) rows.push(open.trimEnd());
    open = "";
    isContinuation = false;
  }

  return {
    push(text) {
      const rows: string[] = [];
      const [first = "", ...others] = text.split("\n");
      write(first, rows);
      for (const line of others) {
        endRow(rows);
        write(line, rows);
      }
      return rows;
    },
    get open() {
      return open;
    },
    end() {
      const rows: string[] = [];
      if (open !== "") endRow(rows);
      isContinuation = false;
      return rows;
    },
    resize(now) {
      columns = now;
      const rows: string[] = [];
      breakOpenRow(rows);
      return rows;
    },
  };
}

/** The rows of a whole text. */
export function wrapText(text: string, columns: number): string[] {
  const wrapper = createWrapper(columns);
  return [...wrapper.push(text), ...wrapper.end()];
}

/** Chinese and Japanese have no spaces: a row may break between any two characters. */
const wideScript = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uff60]/u;

/** Where to break a row that fits up to `end`: between words, else between the names of a path, else at `end`. */
export function breakBefore(row: string, end: number): number {
  if (row[end] === " ") return end;
  const fitting = row.slice(0, end);
  const indentation = fitting.length - fitting.trimStart().length;
  const space = fitting.lastIndexOf(" ");
  const word = space >= indentation ? space + 1 : 0;
  const wide = afterLastWide(row, end);
  return Math.max(word, wide) || fitting.lastIndexOf("/") + 1 || end;
}

function afterLastWide(row: string, end: number): number {
  if (wideScript.test(characterAt(row, end))) return end;
  for (let at = end - 1; at > 0; at -= 1)
    if (wideScript.test(characterAt(row, at))) return at + characterAt(row, at).length;
  return 0;
}

function characterAt(text: string, index: number): string {
  return String.fromCodePoint(text.codePointAt(index) ?? 0);
}
