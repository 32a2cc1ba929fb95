import { createHash } from "node:crypto";
import { isRunId } from "../../events/run-id.js";
import { isObject } from "../../text/fields.js";
import { parseOwnJson } from "../../text/parse-json.js";

/**
 * The format of the index file: one line that identifies it, one line with a table of all entries, and then the stored
 * sidecars in the order of the table.
 */

/** What is known about a finished recording without reading its sidecar. */
export interface IndexFacts {
  id: string;
  /** When the run began, in milliseconds. */
  time: number;
  agent: string;
  outcome: string;
  cwd: string;
  /** The id of the batch that the run belongs to. Empty: none. */
  batch: string;
}

export interface IndexEntry extends IndexFacts {
  /** Where the sidecar is stored, counted from the end of the table. */
  offset: number;
  /** 0: the sidecar is too long to be stored. */
  length: number;
}

const title = "harness index 2";
/** Length of the first line: the title, the length of the table, and its checksum. */
export const headLength = 96;
/** The latest date that JavaScript can represent. */
const latestTime = 8.64e15;
const largestTable = 512 * 1024 * 1024;

/** Stored by column: 100,000 rows are read in about 50 ms. */
interface Table {
  ids: string;
  times: number[];
  lengths: number[];
  agents: Column;
  outcomes: Column;
  cwds: Column;
  batches: Column;
}

/** A column with few different values. */
interface Column {
  values: string[];
  rows: number[];
}

/** The first line and the table. Offsets are not stored, because they follow from the lengths. */
export function encodeTable(entries: readonly Omit<IndexEntry, "offset">[]): Buffer {
  const table: Table = {
    ids: entries.map(({ id }) => id).join(" "),
    times: entries.map(({ time }) => time),
    lengths: entries.map(({ length }) => length),
    agents: toColumn(entries.map(({ agent }) => agent)),
    outcomes: toColumn(entries.map(({ outcome }) => outcome)),
    cwds: toColumn(entries.map(({ cwd }) => cwd)),
    batches: toColumn(entries.map(({ batch }) => batch)),
  };
  const body = Buffer.from(`${JSON.stringify(table)}\n`);
  const head = `${title} ${body.length} ${checksum(body)}`.padEnd(headLength - 1);
  return Buffer.concat([Buffer.from(`${head}\n`), body]);
}

/** The length of the table and its checksum. Undefined when this is not the first line of an index. */
export function decodeHead(head: Buffer): { length: number; sum: string } | undefined {
  const match = /^harness index 2 (\d{1,10}) ([0-9a-f]{40}) *\n$/.exec(head.toString("latin1"));
  if (head.length !== headLength || match === null) return undefined;
  const length = Number(match[1]);
  return length > largestTable ? undefined : { length, sum: match[2] ?? "" };
}

/** The entries of an index by id. Each is built on demand, because most are never needed. */
export interface IndexEntries {
  readonly size: number;
  get(id: string): IndexEntry | undefined;
}

export const noEntries: IndexEntries = { size: 0, get: () => undefined };

/** Decodes the table. Undefined when it is damaged, or does not match the `size` bytes of sidecars that follow it. */
export function decodeTable(body: Buffer, sum: string, size: number): IndexEntries | undefined {
  if (checksum(body) !== sum) return undefined;
  const table = parseOwnJson(body.toString("utf8"));
  if (!isTable(table)) return undefined;
  const ids = table.ids === "" ? [] : table.ids.split(" ");
  const { times, lengths, agents, outcomes, cwds, batches } = table;
  if ([times, lengths].some(({ length }) => length !== ids.length)) return undefined;
  if ([agents, outcomes, cwds, batches].some((column) => !fits(column, ids.length))) return undefined;
  const offsets = offsetsOf(lengths);
  if (offsets?.[lengths.length] !== size) return undefined;
  const rowOf = createRows(ids);
  return {
    size: ids.length,
    get(id) {
      const row = rowOf(id);
      const time = row === undefined ? undefined : times[row];
      if (row === undefined || time === undefined || Math.abs(time) > latestTime) return undefined;
      return {
        id,
        time,
        agent: valueAt(agents, row),
        outcome: valueAt(outcomes, row),
        cwd: valueAt(cwds, row),
        batch: valueAt(batches, row),
        offset: offsets[row] ?? 0,
        length: lengths[row] ?? 0,
      };
    },
  };
}

/** Finds rows by id. Lookups in the order of the rows, as lists do them, need no map of all ids. */
function createRows(ids: readonly string[]): (id: string) => number | undefined {
  let rows: Map<string, number> | undefined;
  let next = 0;
  return (id) => {
    if (ids[next] !== id) {
      rows ??= new Map(ids.map((known, row) => [known, row]));
      const row = rows.get(id);
      if (row === undefined) return undefined;
      next = row;
    }
    next += 1;
    return next - 1;
  };
}

/** Where each sidecar begins, and where the last one ends. */
function offsetsOf(lengths: readonly number[]): Float64Array | undefined {
  const offsets = new Float64Array(lengths.length + 1);
  let offset = 0;
  for (let row = 0; row < lengths.length; row++) {
    const length = lengths[row] ?? 0;
    if (!Number.isSafeInteger(length) || length < 0) return undefined;
    offset += length;
    offsets[row + 1] = offset;
  }
  return offsets;
}

function fits({ values, rows }: Column, count: number): boolean {
  return (
    rows.length === count && rows.every((row) => row >= 0 && row < values.length && Number.isInteger(row))
  );
}

/** Ids are joined by spaces, so the index keeps only what harness itself accepts as an id. */
export function isIndexable(id: string): boolean {
  return isRunId(id);
}

function toColumn(rows: readonly string[]): Column {
  const numbers = new Map<string, number>();
  const numbered = rows.map((value) => {
    const known = numbers.get(value);
    if (known !== undefined) return known;
    numbers.set(value, numbers.size);
    return numbers.size - 1;
  });
  return { values: [...numbers.keys()], rows: numbered };
}

function valueAt({ values, rows }: Column, row: number): string {
  return values[rows[row] ?? -1] ?? "";
}

function checksum(bytes: Buffer): string {
  return createHash("sha1").update(bytes).digest("hex");
}

function isTable(value: unknown): value is Table {
  if (!isObject(value)) return false;
  const { ids, times, lengths, agents, outcomes, cwds, batches } = value;
  return (
    typeof ids === "string" &&
    isNumbers(times) &&
    isNumbers(lengths) &&
    [agents, outcomes, cwds, batches].every(
      (column) => isObject(column) && isStrings(column["values"]) && isNumbers(column["rows"]),
    )
  );
}

function isNumbers(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((item) => typeof item === "number");
}

function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
