import { type Payload, readVarint } from "./payload.js";

/** A value of a column. Binary data is not read. */
export type SqlValue = string | number | null;

const decoder = new TextDecoder("utf-8");

/** The first `count` columns of a row. Columns after a damaged one are missing. */
export function readColumns(payload: Payload, count: number): SqlValue[] {
  const head = readVarint(payload.first(9), 0);
  if (head === undefined || head.value > payload.length) return [];
  const header = payload.first(head.value);
  const values: SqlValue[] = [];
  let at = head.next;
  let offset = head.value;
  while (values.length < count && at < header.length) {
    const type = readVarint(header, at);
    if (type === undefined) return values;
    at = type.next;
    const length = lengthOf(type.value);
    const end = offset + length;
    if (end > payload.length) return values;
    const bytes = length === 0 ? empty : payload.first(end).subarray(offset);
    if (bytes.length < length) return values;
    values.push(valueOfType(type.value, bytes));
    offset = end;
  }
  return values;
}

const empty = new Uint8Array();
const integerBytes = [0, 1, 2, 3, 4, 6, 8, 8];

function lengthOf(type: number): number {
  if (type >= 12) return Math.floor((type - 12) / 2);
  return integerBytes[type] ?? 0;
}

function valueOfType(type: number, bytes: Uint8Array): SqlValue {
  if (type >= 13 && type % 2 === 1) return decoder.decode(bytes);
  if (type === 8 || type === 9) return type - 8;
  if (type === 0 || type > 9) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (type === 7) return view.getFloat64(0);
  return integerOf(view);
}

/** Signed, the highest byte first. */
function integerOf(view: DataView): number {
  let value = view.getInt8(0);
  for (let at = 1; at < view.byteLength; at += 1) value = value * 256 + view.getUint8(at);
  return value;
}
