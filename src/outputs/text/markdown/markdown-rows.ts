import type { Line } from "../line.js";
import type { RowMaker } from "../row-maker.js";
import { lengthThatFits, widthOf } from "../width.js";
import { breakBefore, wrapText } from "../wrap.js";
import { addLine, addText, type Blocks, beginLine, closeBlock, createBlocks, longestHeld } from "./blocks.js";
import { hasMarks } from "./inline.js";

/**
 * Markdown as rows for a terminal, while it streams: each row as soon as nothing that follows can change it. Line breaks stay as
 * they are. Nothing is left out but the marks that a style or a place stands for.
 */
export function createMarkdownRows(initialColumns: number, hasColors: boolean): RowMaker {
  const blocks = createBlocks(initialColumns, hasColors);
  /** The line that is being written, or what is not shown of it. */
  let buffer = "";
  let isMidLine = false;

  function endLine(): void {
    const unit = isMidLine ? unitOf(blocks) : undefined;
    if (unit === undefined) addLine(blocks, buffer);
    else if (buffer.trim() !== "") addText(blocks, unit, buffer.trimStart());
    buffer = "";
    isMidLine = false;
  }

  /** Shows the rows of a long line while it is written, if it has no marks: prose streams. */
  function streamLine(): void {
    if (blocks.block?.kind === "code" || blocks.block?.kind === "table") return;
    // White space at which the row was broken.
    if (isMidLine) buffer = buffer.trimStart();
    if (buffer.length < blocks.columns / 2 || hasMarks(buffer)) return;
    // Unlike its width, this does not take longer the longer the line is.
    if (lengthThatFits(buffer, blocks.columns) >= buffer.length) return;
    if (!isMidLine) {
      const begun = beginLine(blocks, buffer);
      if (begun === undefined) return;
      buffer = begun;
      isMidLine = true;
    }
    buffer = addRowsOf(blocks, buffer);
  }

  return {
    push(text) {
      const [first = "", ...others] = text.split("\n");
      buffer += first;
      for (const line of others) {
        endLine();
        buffer = line;
      }
      streamLine();
      if (buffer.length > longestHeld) {
        endLine();
        isMidLine = unitOf(blocks) !== undefined;
      }
      return take(blocks);
    },
    get open() {
      return openRow(blocks, buffer);
    },
    end() {
      if (buffer !== "") endLine();
      isMidLine = false;
      // A block of code goes on if more follows: the message may only be interrupted.
      if (blocks.block?.kind !== "code") closeBlock(blocks);
      return take(blocks);
    },
    resize(columns) {
      blocks.columns = columns;
      return [];
    },
  };
}

function unitOf({ block }: Blocks) {
  return block?.kind === "unit" ? block.unit : undefined;
}

/** Adds the rows that are complete. Returns the rest. */
function addRowsOf(blocks: Blocks, line: string): string {
  const unit = unitOf(blocks);
  if (unit === undefined || unit.held.length > 0) return line;
  const room = Math.max(blocks.columns - widthOf(unit.rest), 1);
  let rest = line;
  for (;;) {
    const end = lengthThatFits(rest, room);
    if (end === 0 || end >= rest.length) return rest;
    const at = breakBefore(rest, end);
    addText(blocks, unit, rest.slice(0, at).trimEnd());
    rest = rest.slice(at).trimStart();
  }
}

function take(blocks: Blocks): Line[] {
  const { rows } = blocks;
  blocks.rows = [];
  return rows;
}

/** What is being written, as it was written: how it looks is not known yet. */
function openRow({ block, columns }: Blocks, buffer: string): Line | undefined {
  const held = block?.kind === "unit" ? block.unit.held : block?.kind === "table" ? block.rows : [];
  const latest = buffer.trim() === "" ? (held.at(-1) ?? "") : buffer;
  if (latest.trim() === "") return undefined;
  const row = wrapText(latest.slice(-4 * columns), columns).at(-1) ?? "";
  return [{ text: row, style: block?.kind === "table" ? "dim" : undefined }];
}
