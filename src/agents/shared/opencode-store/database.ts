import type { StoredSession, StoreFile, StoreReader } from "../../store-contract.js";
import { type Database, openDatabase, type SqlRow } from "../sqlite/database.js";
import { rowLine, type StoredKind, type StoredRow, storedKinds } from "./lines.js";
import type { Sessions } from "./store.js";

/** Where a row is, and its place in the order of the session. */
interface Entry {
  kind: StoredKind;
  rowid: number;
  time: number;
  id: string;
}

/** One session or subagent: its rows without their contents. */
interface Tree {
  parent: string | undefined;
  entries: Entry[];
  children: string[];
  updated: number;
}

/** The columns that say what a row belongs to. The contents come after them, and are read when they are needed. */
const keyColumns = ["id", "session_id", "parent_id", "time_created", "time_updated"];

/** Undefined if there is no database. */
export function openStoredDatabase(reader: StoreReader, name: string): Sessions | undefined {
  const file = reader.files.find(({ path }) => path === name);
  const database = file && openDatabase(reading(reader, name), reading(reader, `${name}-wal`));
  if (file === undefined || database === undefined) return undefined;
  const trees = readTrees(database);
  return {
    mains: [...trees].flatMap(([id, tree]) =>
      tree.parent !== undefined && trees.has(tree.parent) ? [] : [sessionOf(id, file, trees)],
    ),
    *lines(id) {
      for (const { kind, rowid, time } of inOrder(id, trees)) {
        const row = database.table(kind)?.row(rowid);
        if (row !== undefined) yield { line: rowLine(kind, row), time: momentOf(time) } satisfies StoredRow;
      }
    },
  };
}

function reading(reader: StoreReader, path: string) {
  return (offset: number, length: number) => reader.bytes(path, offset, length);
}

function readTrees(database: Database): Map<string, Tree> {
  const trees = new Map<string, Tree>();
  const at = (id: string): Tree => {
    const known = trees.get(id) ?? { parent: undefined, entries: [], children: [], updated: 0 };
    trees.set(id, known);
    return known;
  };
  for (const kind of storedKinds) {
    const table = database.table(kind);
    const columns = keyColumns.filter((name) => table?.columns.includes(name));
    for (const { rowid, row } of table?.rows(columns) ?? []) {
      const id = textIn(row, "id") ?? "";
      const owner = kind === "session" ? id : textIn(row, "session_id");
      // Rows without a session were left behind when it was deleted.
      if (owner === undefined || (kind !== "session" && !trees.has(owner))) continue;
      const tree = at(owner);
      tree.entries.push({ kind, rowid, time: numberIn(row, "time_created"), id });
      tree.updated = Math.max(tree.updated, numberIn(row, "time_updated"));
      if (kind === "session") tree.parent = textIn(row, "parent_id");
    }
  }
  for (const [id, { parent }] of trees) if (parent !== undefined) trees.get(parent)?.children.push(id);
  return trees;
}

/** A session with those of its subagents. All of them share one file, so its size and time would say that every session has grown. */
function sessionOf(id: string, file: StoreFile, trees: ReadonlyMap<string, Tree>): StoredSession {
  const family = familyOf(id, trees);
  const bytes = family.reduce((sum, { entries }) => sum + entries.length, 0);
  const modifiedAt = family.reduce((latest, { updated }) => Math.max(latest, updated), 0);
  return { id, files: [{ path: file.path, bytes, modifiedAt }] };
}

function familyOf(id: string, trees: ReadonlyMap<string, Tree>): Tree[] {
  const family = new Set<Tree>();
  const waiting = [id];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const tree = trees.get(next);
    if (tree === undefined || family.has(tree)) continue;
    family.add(tree);
    for (const child of tree.children) waiting.push(child);
  }
  return [...family];
}

/** By time. At the same time, a session comes before its messages, these before their parts, and parts by their ids, which rise. */
function inOrder(id: string, trees: ReadonlyMap<string, Tree>): Entry[] {
  const rank = (kind: StoredKind): number => storedKinds.indexOf(kind);
  return familyOf(id, trees)
    .flatMap(({ entries }) => entries)
    .sort((a, b) => a.time - b.time || rank(a.kind) - rank(b.kind) || (a.id < b.id ? -1 : 1));
}

function momentOf(time: number): number | undefined {
  return time > 0 && time < 8.64e15 ? time : undefined;
}

function textIn(row: SqlRow, name: string): string | undefined {
  const value = row[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

function numberIn(row: SqlRow, name: string): number {
  const value = row[name];
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}
