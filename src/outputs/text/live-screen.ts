import { type Line, plainTextOf } from "./line.js";
import { paint } from "./paint.js";
import { widthOf } from "./width.js";

/**
 * The last rows of a terminal, which are redrawn all the time: the row that is being written, and the
 * progress row below it. Rows above them are never touched. Returns text to print; prints nothing itself.
 */
export interface LiveScreen {
  /** Puts finished rows above the live ones. */
  draw(finished: readonly Line[], live: readonly Line[]): string;
  /** Redraws only the last of the live rows. */
  redrawLast(line: Line): string;
  /** Writes the live rows over those on the screen, without erasing them first. */
  redraw(live: readonly Line[]): string;
  /** Removes the live rows from the screen. */
  clear(): string;
  /** The terminal has a new width: what is on it may take more rows now. */
  resize(columns: number): void;
}

const eraseBelow = "\u001b[J";
const eraseRight = "\u001b[K";

export function createLiveScreen(initialColumns: number, hasColors: boolean): LiveScreen {
  let columns = initialColumns;
  /** Widths of the live rows that are on the screen; the cursor is at the end of the last one. */
  let widths: number[] = [];
  let lastPainted = "";
  let allPainted = "";

  function rowsOf(width: number): number {
    return Math.max(1, Math.ceil(width / columns));
  }

  /** Terminals break rows that are too long for their width. */
  function clear(): string {
    if (widths.length === 0) return "";
    const above = widths.reduce((sum, width) => sum + rowsOf(width), -1);
    widths = [];
    return `\r${above > 0 ? `\u001b[${above}A` : ""}${eraseBelow}`;
  }

  function remember(live: readonly Line[]): string[] {
    widths = live.map((line) => widthOf(plainTextOf(line)));
    const painted = live.map((line) => paint(line, hasColors));
    lastPainted = painted.at(-1) ?? "";
    allPainted = painted.join("\n");
    return painted;
  }

  return {
    clear,
    draw(finished, live) {
      let text = clear();
      for (const line of finished) text += `${paint(line, hasColors)}\n`;
      return text + remember(live).join("\n");
    },
    redraw(live) {
      const before = widths.length === 0 ? undefined : allPainted;
      const above = widths.reduce((sum, width) => sum + rowsOf(width), -1);
      const painted = remember(live);
      if (allPainted === before) return "";
      const up = above > 0 ? `\u001b[${above}A` : "";
      return `\r${up}${painted.map((row) => row + eraseRight).join("\n")}${eraseBelow}`;
    },
    redrawLast(line) {
      if (widths.length === 0) return "";
      const painted = paint(line, hasColors);
      if (painted === lastPainted) return "";
      const above = rowsOf(widths.at(-1) ?? 0) - 1;
      widths[widths.length - 1] = widthOf(plainTextOf(line));
      lastPainted = painted;
      if (above > 0) return `\r\u001b[${above}A${eraseBelow}${painted}`;
      return `\r${painted}${eraseRight}`;
    },
    resize(now) {
      columns = now;
    },
  };
}
