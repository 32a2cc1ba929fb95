import type { Pages } from "./pages.js";
import { type Payload, payloadOf, readVarint } from "./payload.js";

/** A row of a table: its number, and its content. */
export interface RowCell {
  rowid: number;
  payload: Payload;
}

const tableLeaf = 0x0d;
const tableInterior = 0x05;
/** A tree of the largest possible file is not deeper. */
const deepest = 40;

/** A cell and where it begins take at least as many bytes of a page. */
const leastCell = 6;

/** The rows of a table in the order of their numbers. Pages that are not what they should be are left out. */
export function* walkTable(pages: Pages, root: number): Generator<RowCell> {
  const visited = new Set<number>();
  const stack: { number: number; depth: number }[] = [{ number: root, depth: 0 }];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { number, depth } = next;
    const node = visited.has(number) || depth > deepest ? undefined : nodeOf(pages, number);
    visited.add(number);
    if (node?.type === tableLeaf) yield* cellsOf(node, pages);
    if (node?.type !== tableInterior) continue;
    const children = [...node.cells].map((at) => uint32(node.page, at));
    for (const child of [...children, node.right].reverse()) stack.push({ number: child, depth: depth + 1 });
  }
}

/** The row with this number. */
export function findTableRow(pages: Pages, root: number, rowid: number): RowCell | undefined {
  let number = root;
  for (let depth = 0; depth <= deepest; depth += 1) {
    const node = nodeOf(pages, number);
    if (node === undefined) return undefined;
    if (node.type === tableLeaf) {
      for (const cell of cellsOf(node, pages, rowid)) return cell;
      return undefined;
    }
    if (node.type !== tableInterior) return undefined;
    number = childFor(node, rowid);
  }
  return undefined;
}

interface Node {
  page: Uint8Array;
  type: number;
  /** Where the cells begin. */
  cells: Iterable<number>;
  right: number;
}

function nodeOf(pages: Pages, number: number): Node | undefined {
  const page = pages.page(number);
  if (page === undefined) return undefined;
  // The first page begins with the header of the file.
  const start = number === 1 ? 100 : 0;
  const type = page[start] ?? 0;
  const count = Math.min(uint16(page, start + 3), Math.floor(page.length / leastCell));
  const pointers = start + (type === tableInterior ? 12 : 8);
  const cells = Array.from({ length: count }, (_, index) => uint16(page, pointers + 2 * index));
  return { page, type, cells, right: uint32(page, start + 8) };
}

/** The child that has the row: of the first cell whose key is not smaller, or the last child. */
function childFor(node: Node, rowid: number): number {
  for (const at of node.cells) {
    const key = readVarint(node.page, at + 4);
    if (key !== undefined && rowid <= key.value) return uint32(node.page, at);
  }
  return node.right;
}

function* cellsOf({ page, cells }: Node, pages: Pages, only?: number): Generator<RowCell> {
  for (const at of cells) {
    const length = readVarint(page, at);
    const rowid = length === undefined ? undefined : readVarint(page, length.next);
    if (length === undefined || rowid === undefined) continue;
    if (only !== undefined && rowid.value !== only) continue;
    const payload = payloadOf(page, rowid.next, length.value, pages);
    if (payload !== undefined) yield { rowid: rowid.value, payload };
  }
}

function uint16(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
}

function uint32(bytes: Uint8Array, at: number): number {
  return uint16(bytes, at) * 65536 + uint16(bytes, at + 2);
}
