import type { Line, Segment } from "../line.js";
import { widthOf } from "../width.js";
import { wrapText } from "../wrap.js";
import { isSelfContained, parseSpans } from "./inline.js";
import {
  type Alignment,
  closesFence,
  type MarkdownLine,
  readCells,
  readDelimiters,
  readLine,
} from "./lines.js";
import { toTableRows } from "./table.js";
import { wrapSpans } from "./wrap-spans.js";

/** A paragraph or an entry of a list. */
export interface Unit {
  /** What the next row begins with: the bullet, then as many spaces. */
  prefix: Line;
  rest: string;
  /** Lines that are not shown yet, because lines that follow may change how they look. */
  held: string[];
}

/** An entry of a list that others may be nested in. */
interface Level {
  /** Columns before its marker and before its text, in the source. */
  indent: number;
  offset: number;
  /** Columns before its text, as shown. */
  shown: number;
}

type Block =
  | { kind: "unit"; unit: Unit }
  | { kind: "code"; mark: string; indent: number; prefix: string }
  | { kind: "table"; titles: string; alignments: Alignment[]; rows: string[]; size: number; prefix: string };

/** The blocks of a text, line by line. Rows are added as soon as no later line can change them. */
export interface Blocks {
  columns: number;
  readonly hasColors: boolean;
  block: Block | undefined;
  levels: Level[];
  isAfterBlank: boolean;
  rows: Line[];
}

/** Longer texts are shown as they are: no writer means them as one paragraph. */
export const longestHeld = 20_000;
/** The same in lines. Each one that is added makes all of them be read again. */
const mostHeld = 16;
const longestTable = 500;
const widestTable = 64;
const largestTable = 200_000;
const widestRule = 60;
const deepestQuote = 4;

export function createBlocks(columns: number, hasColors: boolean): Blocks {
  return { columns, hasColors, block: undefined, levels: [], isAfterBlank: true, rows: [] };
}

/** Adds a complete line. */
export function addLine(blocks: Blocks, line: string): void {
  const { block } = blocks;
  if (block?.kind === "code") {
    if (closesFence(line, block.mark)) closeCode(blocks, block);
    else addCode(blocks, line, block);
    return;
  }
  if (block?.kind === "table") {
    if (fitsTable(line, block)) {
      block.rows.push(line);
      block.size += line.length;
      return;
    }
    closeBlock(blocks);
  }
  if (!beginTable(blocks, line)) addRead(blocks, readLine(line), line);
}

/** Ends what is open: nothing follows that belongs to it. */
export function closeBlock(blocks: Blocks): void {
  const { block, columns, hasColors } = blocks;
  if (block?.kind === "unit") {
    release(blocks, block.unit);
    // An entry without text still has its marker.
    if (block.unit.prefix.some(({ text }) => text.trim() !== ""))
      blocks.rows.push(block.unit.prefix.slice(0, -1));
  }
  if (block?.kind === "table") {
    const room = Math.max(columns - block.prefix.length, 1);
    for (const line of toTableRows(block, room, hasColors)) addRow(blocks, [{ text: block.prefix }], line);
  }
  blocks.block = undefined;
}

/** Adds a line to a paragraph. A line that could be the titles of a table waits for the next one. */
export function addText(blocks: Blocks, unit: Unit, line: string): void {
  unit.held.push(line);
  const source = unit.held.join("\n");
  const isLong = source.length > longestHeld || unit.held.length >= mostHeld;
  if (isLong || (!line.includes("|") && isSelfContained(source))) release(blocks, unit);
}

/**
 * Opens the block that a line belongs to, before the line is complete. Returns the text that belongs into it, undefined if the
 * end of the line decides what it is.
 */
export function beginLine(blocks: Blocks, line: string): string | undefined {
  const read = readLine(line);
  if (read.kind === "item") {
    addRead(blocks, { ...read, text: "" }, "");
    return read.text;
  }
  const { block } = blocks;
  if (read.kind !== "text" || (block === undefined && read.indent >= codeIndent)) return undefined;
  if (block?.kind === "unit") {
    if (block.unit.held.length > 0) return undefined;
    return block.unit.rest === "" ? line : line.trimStart();
  }
  addPlain(blocks, read.indent, "");
  blocks.isAfterBlank = false;
  return line;
}

function release(blocks: Blocks, unit: Unit): void {
  if (unit.held.length === 0) return;
  const source = unit.held.join("\n");
  unit.held = [];
  const spans: Segment[] =
    source.length > longestHeld ? [{ text: source }] : parseSpans(source, blocks.hasColors);
  for (const line of wrapSpans(spans, Math.max(blocks.columns - widthOf(unit.rest), 1))) {
    addRow(blocks, unit.prefix, line);
    unit.prefix = [{ text: unit.rest }];
  }
}

function addRow({ rows }: Blocks, prefix: Line, line: Line): void {
  rows.push(line.length === 0 ? [] : [...prefix.filter(({ text }) => text !== ""), ...line]);
}

function addCode(blocks: Blocks, line: string, { indent, prefix }: { indent: number; prefix: string }): void {
  const space = line.length - line.trimStart().length;
  const code = line.slice(Math.min(space, indent));
  const wrapped = wrapText(code, Math.max(blocks.columns - prefix.length, 1));
  if (wrapped.length === 0) blocks.rows.push([]);
  for (const row of wrapped) addRow(blocks, [{ text: prefix }], row === "" ? [] : [{ text: row }]);
}

/** True if the line is the one below the titles of a table. */
function beginTable(blocks: Blocks, line: string): boolean {
  const { block } = blocks;
  const alignments = readDelimiters(line);
  if (alignments === undefined || alignments.length > widestTable || block?.kind !== "unit") return false;
  const titles = block.unit.held.at(-1) ?? "";
  if (!titles.includes("|") || readCells(titles).length !== alignments.length) return false;
  block.unit.held.pop();
  closeBlock(blocks);
  blocks.block = { kind: "table", titles, alignments, rows: [], size: 0, prefix: block.unit.rest };
  return true;
}

/** Rows that no writer means as a table are shown as they are. */
function fitsTable(line: string, { rows, size }: Extract<Block, { kind: "table" }>): boolean {
  if (!line.includes("|") || rows.length >= longestTable || size + line.length > largestTable) return false;
  return readCells(line).length <= widestTable;
}

function addRead(blocks: Blocks, read: MarkdownLine, line: string): void {
  if (read.kind === "text") {
    addPlain(blocks, read.indent, line);
    blocks.isAfterBlank = false;
    return;
  }
  closeBlock(blocks);
  switch (read.kind) {
    case "blank":
      blocks.rows.push([]);
      break;
    case "item":
      beginItem(blocks, read);
      break;
    case "fence":
      beginCode(blocks, read);
      break;
    default:
      if (read.kind !== "quote") blocks.levels = [];
      addWhole(blocks, read);
  }
  blocks.isAfterBlank = read.kind === "blank";
}

/** Lines that are blocks by themselves. */
function addWhole(
  { columns, hasColors, rows }: Blocks,
  read: Extract<MarkdownLine, { kind: "heading" | "rule" | "quote" }>,
): void {
  if (read.kind === "rule") {
    rows.push([{ text: "─".repeat(Math.min(columns, widestRule)), style: "dim" }]);
    return;
  }
  const isHeading = read.kind === "heading";
  const mark = isHeading
    ? `${"#".repeat(hasColors ? 0 : read.level)} `.trimStart()
    : "│ ".repeat(Math.min(read.depth, deepestQuote));
  const prefix: Segment = { text: mark, style: isHeading ? "bold" : "dim" };
  const spans = parseSpans(read.text, hasColors, isHeading ? "bold" : undefined);
  const wrapped = wrapSpans(spans, Math.max(columns - widthOf(mark), 1));
  if (wrapped.length === 0 && mark !== "") rows.push([{ ...prefix, text: mark.trimEnd() }]);
  for (const row of wrapped) rows.push(mark === "" ? row : [prefix, ...row]);
}

/** Indented so far, and outside of lists, text is code. */
const codeIndent = 4;

/** A line of text continues what is open. After an empty line, its indentation says which entry it belongs to. */
function addPlain(blocks: Blocks, indent: number, line: string): void {
  const { block } = blocks;
  if (block?.kind === "unit") {
    addText(blocks, block.unit, block.unit.rest === "" ? line : line.trimStart());
    return;
  }
  if (blocks.isAfterBlank)
    blocks.levels = blocks.levels.filter(({ offset }) => indent >= Math.min(offset, 2));
  const { levels } = blocks;
  while (levels.length > 1 && indent < (levels.at(-1)?.offset ?? 0)) levels.pop();
  if (levels.length === 0 && indent >= codeIndent) {
    addCode(blocks, line, { indent: 0, prefix: "" });
    return;
  }
  const rest = " ".repeat(levels.at(-1)?.shown ?? 0);
  const unit: Unit = { prefix: [{ text: rest }], rest, held: [] };
  blocks.block = { kind: "unit", unit };
  addText(blocks, unit, rest === "" ? line : line.trimStart());
}

/** So many columns are left for the text of the deepest entry. */
const leastText = 20;

function beginItem(
  blocks: Blocks,
  { indent, marker, offset, text }: Extract<MarkdownLine, { kind: "item" }>,
): void {
  const levels = blocks.levels.filter(
    (level) => level.indent < indent && indent >= Math.min(level.offset, level.indent + 2),
  );
  const before = " ".repeat(Math.min(levels.at(-1)?.shown ?? 0, Math.max(0, blocks.columns - leastText)));
  const bullet = /\d/.test(marker) ? marker : "•";
  const rest = before + " ".repeat(bullet.length + 1);
  blocks.levels = [...levels, { indent, offset, shown: rest.length }];
  const prefix: Line = [{ text: before }, { text: bullet, style: "accent" }, { text: " " }];
  const unit: Unit = { prefix, rest, held: [] };
  blocks.block = { kind: "unit", unit };
  if (text !== "") addText(blocks, unit, text);
}

function beginCode(
  blocks: Blocks,
  { indent, mark, language }: Extract<MarkdownLine, { kind: "fence" }>,
): void {
  if (indent === 0) blocks.levels = [];
  const prefix = " ".repeat((blocks.levels.at(-1)?.shown ?? 0) + 2);
  blocks.block = { kind: "code", mark, indent, prefix };
  const title = (blocks.hasColors ? "" : mark) + language;
  for (const row of wrapText(title, Math.max(blocks.columns - prefix.length, 1)))
    blocks.rows.push([{ text: prefix + row, style: "dim" }]);
}

function closeCode(blocks: Blocks, { mark, prefix }: { mark: string; prefix: string }): void {
  if (!blocks.hasColors) addCode(blocks, mark, { indent: 0, prefix });
  blocks.block = undefined;
}
