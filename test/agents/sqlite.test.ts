import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, it } from "vitest";
import { columnsIn, openDatabase } from "../../src/agents/shared/sqlite/database.js";
import { walkTable } from "../../src/agents/shared/sqlite/tree.js";

const fixture = (name: string) => readFileSync(new URL(`../fixtures/sqlite/${name}`, import.meta.url));
const reading = (bytes: Uint8Array) => (offset: number, length: number) =>
  Uint8Array.from(bytes.subarray(offset, offset + length));

const database = fixture("pages.db");
const log = fixture("pages.db-wal");
/** What SQLite itself read, before a transaction that was not committed. */
const rows: Record<string, unknown>[] = JSON.parse(fixture("rows.json").toString("utf8"));

it("reads what SQLite reads: long rows, every kind of value, and what is only in the log", () => {
  const table = openDatabase(reading(database), reading(log))?.table("odd, name");
  expect(table?.columns).toEqual(["id", "b,c", "d", "e", "data", "late"]);
  const read = [...(table?.rows() ?? [])];
  expect(read.map(({ row: { late, ...row } }) => row)).toEqual(rows);
  expect(read.map(({ rowid }) => table?.row(rowid))).toEqual(read.map(({ row }) => row));
});

it("without its log, a database is as it was when the log was begun", () => {
  const table = openDatabase(reading(database), () => new Uint8Array())?.table("odd, name");
  expect([...(table?.rows(["id"]) ?? [])]).toHaveLength(30);
});

it("ends a log where a frame is damaged", () => {
  const damaged = Uint8Array.from(log);
  damaged[32 + 24 + 100] = 1 + (damaged[32 + 24 + 100] ?? 0);
  const table = openDatabase(reading(database), reading(damaged))?.table("odd, name");
  expect([...(table?.rows(["id"]) ?? [])]).toHaveLength(30);
});

it("neither throws nor hangs with damaged files", () => {
  const damage = fc.array(fc.tuple(fc.nat(database.length - 1), fc.nat(255)), { maxLength: 60 });
  fc.assert(
    fc.property(damage, fc.nat(database.length), (bytes, length) => {
      const damaged = Uint8Array.from(database);
      for (const [at, value] of bytes) damaged[at] = value;
      const opened = openDatabase(reading(damaged.subarray(0, length)), () => new Uint8Array());
      for (const { rowid } of opened?.table("odd, name")?.rows() ?? [])
        opened?.table("odd, name")?.row(rowid);
    }),
    { numRuns: 300 },
  );
});

it("is not a database: other files", () => {
  for (const text of ["", "SQLite format 3", "x".repeat(5000), `SQLite format 3\0${"\0".repeat(200)}`])
    expect(openDatabase(reading(Buffer.from(text)), () => new Uint8Array())).toBeUndefined();
});

it("names columns as they were declared", () => {
  expect(
    columnsIn('CREATE TABLE t (a, "b""c" text, PRIMARY KEY (a, b), FOREIGN KEY (a) REFERENCES x(y))'),
  ).toEqual(["a", 'b"c']);
});

it("does not follow pages in a circle, nor count cells that have no room: a small file has no row of any length", () => {
  const page = new Uint8Array(512).fill(2);
  // A leaf with as many cells as can be said, all at the same place, each with 60 million bytes.
  page.set([0x0d, 0, 0, 0xff, 0xff]);
  page.fill(1, 8, 400);
  page.set([0x9c, 0xce, 0xb8, 0x00, 1], 257);
  let reads = 0;
  const pages = {
    usable: 512,
    page() {
      reads += 1;
      return page;
    },
  };
  const cells = [...walkTable(pages, 3)];
  expect(cells.length).toBeLessThan(100);
  expect(cells[0]?.payload.length).toBeGreaterThan(50_000_000);
  reads = 0;
  expect(cells[0]?.payload.first(50_000_000).length).toBeLessThan(2000);
  expect(reads).toBeLessThan(4);
});
