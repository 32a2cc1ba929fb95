import { type Line, plainTextOf } from "../../outputs/text/line.js";
import { paint } from "../../outputs/text/paint.js";
import { widthOf } from "../../outputs/text/width.js";

/** The last rows of the terminal, with the cursor in one of them. Rows above are never touched. */
export interface ChatRows {
  rows: readonly Line[];
  cursor: { row: number; column: number };
}

/** Returns text to print; prints nothing itself. */
export interface ChatScreen {
  /** Puts finished rows above the live ones. */
  draw(finished: readonly Line[], live: ChatRows): string;
  /** Only finished rows, when there are no live ones. */
  print(finished: readonly Line[]): string;
  /** Removes the live rows: somebody else uses the terminal. */
  clear(): string;
  /** The terminal has a new width: what is on it may take more rows now. */
  resize(columns: number): void;
}

const eraseBelow = "\u001b[J";
const hideCursor = "\u001b[?25l";
const showCursor = "\u001b[?25h";

export function createChatScreen(initialColumns: number, hasColors: boolean): ChatScreen {
  let columns = initialColumns;
  /** What is on the screen: the widths of the rows down to the one with the cursor, and the cursor's column. */
  let above: number[] = [];
  let column = 0;
  let isShown = false;
  let last = "";

  const rowsOf = (width: number): number => Math.max(1, Math.ceil(width / columns));

  /** Terminals break rows that are too long for a new width. */
  function toTop(): string {
    const up = above.reduce((sum, width) => sum + rowsOf(width), Math.floor(column / columns));
    return `\r${up > 0 ? `\u001b[${up}A` : ""}`;
  }

  function clear(): string {
    if (!isShown) return "";
    isShown = false;
    last = "";
    return `${toTop()}${eraseBelow}${showCursor}`;
  }

  const print = (finished: readonly Line[]): string =>
    finished.map((line) => `${paint(line, hasColors)}\r\n`).join("");

  return {
    print,
    draw(finished, { rows, cursor }) {
      const painted = rows.map((line) => paint(line, hasColors)).join("\r\n");
      const down = rows.length - 1 - cursor.row;
      const place = `${down > 0 ? `\u001b[${down}A` : ""}\r${cursor.column > 0 ? `\u001b[${cursor.column}C` : ""}`;
      const live = `${painted}${place}`;
      // Nothing has changed: nothing flickers.
      if (isShown && finished.length === 0 && live === last) return "";
      const text = `${hideCursor}${isShown ? `${toTop()}${eraseBelow}` : ""}${print(finished)}${live}${showCursor}`;
      above = rows.slice(0, cursor.row).map((line) => widthOf(plainTextOf(line)));
      column = cursor.column;
      isShown = true;
      last = live;
      return text;
    },
    clear,
    resize(now) {
      columns = now;
      last = "";
    },
  };
}
