import { openPages, type Pages, type ReadBytes } from "./pages.js";
import { readColumns, type SqlValue } from "./rows.js";
import { findTableRow, type RowCell, walkTable } from "./tree.js";

export type SqlRow = Readonly<Record<string, SqlValue>>;

/** A table of a database. */
export interface Table {
  /** The names of its columns, in order. */
  readonly columns: readonly string[];
  /** Its rows with their numbers. Only the columns up to the last of `names` are read: a long text at the end of a row costs nothing. */
  rows(names?: readonly string[]): Iterable<{ rowid: number; row: SqlRow }>;
  /** The row with this number. */
  row(rowid: number): SqlRow | undefined;
}

export interface Database {
  /** Undefined if there is no such table. */
  table(name: string): Table | undefined;
}

/** Those of agents have a few hundred characters. Finding the columns of a hostile one takes time that grows faster than its length. */
const longestDeclaration = 20_000;

/**
 * Reads an SQLite database without SQLite (file format 3, as its documentation has it): Node has none before 22.5, and SQLite itself writes
 * beside a database that it only reads. Damaged parts are left out. Undefined if the file is not a database.
 */
export function openDatabase(database: ReadBytes, log: ReadBytes): Database | undefined {
  const pages = openPages(database, log);
  if (pages === undefined) return undefined;
  const tables = new Map<string, Table>();
  for (const cell of walkTable(pages, 1)) {
    const [type, name, , root, sql] = readColumns(cell.payload, 5);
    if (type !== "table" || typeof name !== "string" || typeof root !== "number" || typeof sql !== "string")
      continue;
    if (sql.length > longestDeclaration) continue;
    if (!tables.has(name)) tables.set(name, createTable(pages, root, columnsIn(sql)));
  }
  return { table: (name) => tables.get(name) };
}

function createTable(pages: Pages, root: number, columns: readonly string[]): Table {
  const read = ({ payload }: RowCell, count: number): SqlRow => {
    const values = readColumns(payload, count);
    return Object.fromEntries(values.map((value, index) => [columns[index] ?? `column ${index}`, value]));
  };
  return {
    columns,
    *rows(names = columns) {
      const count = 1 + Math.max(...names.map((name) => columns.indexOf(name)));
      for (const cell of walkTable(pages, root)) yield { rowid: cell.rowid, row: read(cell, count) };
    },
    row(rowid) {
      const cell = findTableRow(pages, root, rowid);
      return cell === undefined ? undefined : read(cell, columns.length);
    },
  };
}

const constraint = /^(?:constraint|primary\s+key|unique|check|foreign\s+key)\b/i;

/** The names of the columns in `CREATE TABLE`. */
export function columnsIn(sql: string): string[] {
  return partsIn(sql).flatMap((part) => {
    if (constraint.test(part)) return [];
    const [, quoted, back, bracketed, plain] =
      /^(?:"((?:[^"]|"")*)"|`([^`]*)`|\[([^\]]*)\]|([^\s,()]+))/.exec(part) ?? [];
    const name = quoted?.replaceAll('""', '"') ?? back ?? bracketed ?? plain;
    return name === undefined ? [] : [name];
  });
}

/** What is between the commas of the outer brackets. */
function partsIn(sql: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let part = "";
  for (const token of sql.match(/'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]{0,200}\]|[\s\S]/g) ?? []) {
    if (token === ")") depth -= 1;
    const isEnd = (token === "," && depth === 1) || (token === ")" && depth === 0);
    if (isEnd) {
      parts.push(part.trim());
      part = "";
    } else if (depth > 0) part += token;
    if (token === "(") depth += 1;
    if (token === ")" && depth === 0) break;
  }
  return parts;
}
