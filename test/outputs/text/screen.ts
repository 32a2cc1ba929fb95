import { widthOf } from "../../../src/outputs/text/width.js";

/**
 * A small terminal: rows, a cursor, and the few sequences that harness uses. Anything else throws, so that a
 * test fails when something got through that should not have.
 */
export function createScreen(columns: number) {
  const rows: string[][] = [[]];
  let row = 0;
  let column = 0;

  function put(character: string, width: number): void {
    if (column + width > columns) {
      row += 1;
      column = 0;
    }
    const cells = rowAt(row);
    while (cells.length < column) cells.push(" ");
    cells[column] = character;
    if (width === 2) cells[column + 1] = "";
    column += width;
  }

  function rowAt(index: number): string[] {
    while (rows.length <= index) rows.push([]);
    return rows[index] ?? [];
  }

  function control(parameters: string, name: string): void {
    if (name === "m" && ownStyles.has(parameters)) return;
    if (ownModes.has(parameters) && /[hl]/.test(name)) return;
    if (name === "A") row -= Number(parameters);
    else if (name === "C") column += Number(parameters);
    else if (name === "K" && parameters === "") rowAt(row).length = Math.min(rowAt(row).length, column);
    else if (name === "J" && parameters === "") {
      rowAt(row).length = Math.min(rowAt(row).length, column);
      rows.length = row + 1;
    } else throw new Error(`the terminal got ESC [ ${parameters} ${name}`);
    if (row < 0) throw new Error("the cursor left the screen");
  }

  return {
    write(text: string): void {
      for (const [piece, parameters, name] of text.matchAll(
        /\u001b\[([0-9;?]*)([a-zA-Z])|[^\u001b]|\u001b/gu,
      )) {
        if (name !== undefined) control(parameters ?? "", name);
        else if (piece === "\n") [row, column] = [row + 1, 0];
        else if (piece === "\r") column = 0;
        else if (/[\u0000-\u001f\u007f-\u009f]/.test(piece))
          throw new Error(`the terminal got ${JSON.stringify(piece)}`);
        else if (widthOf(piece) > 0) put(piece, widthOf(piece));
      }
    },
    get cursor() {
      return { row, column };
    },
    /** As far down as the cursor has been. */
    get rows(): string[] {
      rowAt(row);
      return rows.map((cells) => cells.join("").trimEnd());
    },
  };
}

const ownStyles: ReadonlySet<string> = new Set(["0", "1", "2", "31", "32", "33", "36"]);
/** The cursor is hidden, and pasted text is marked. */
const ownModes: ReadonlySet<string> = new Set(["?25", "?2004"]);
