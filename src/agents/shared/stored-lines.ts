import { isObject } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import { parseJson } from "../../text/parse-json.js";
import type { StoredLine, StoredRecord } from "../store-contract.js";

/** Pieces for stores of sessions: times of lines, and several files as one. */

/** The JSON object of a line. Undefined if it is none: half written, damaged, or not UTF-8. */
export function recordOf({ line }: StoredLine): JsonObject | undefined {
  const value = line === undefined ? undefined : parseJson(line);
  return isObject(value) ? value : undefined;
}

/** A moment in ISO 8601 and UTC, from a number of milliseconds or a text. Undefined if it is neither, or not a moment that can be. */
export function instantOf(value: unknown): string | undefined {
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  const date = new Date(value);
  const year = Number.isNaN(date.getTime()) ? undefined : date.getUTCFullYear();
  return year === undefined || year < 1970 || year > 9999 ? undefined : date.toISOString();
}

type TimeOf = (line: StoredLine) => string | undefined;

/** The most lines without a time that are read ahead at the beginning of a file. */
const mostHeld = 100;

/** Lines with their times. A line without one has that of the line before it, or, at the beginning, that of the first line with one. */
export function* withTimes(lines: Iterable<StoredLine>, timeOf: TimeOf): Generator<StoredRecord> {
  let held: StoredLine[] | undefined = [];
  let timestamp: string | undefined;
  for (const line of lines) {
    timestamp = timeOf(line) ?? timestamp;
    if (held === undefined) {
      yield { ...line, timestamp };
      continue;
    }
    held.push(line);
    if (timestamp === undefined && held.length < mostHeld) continue;
    for (const one of held) yield { ...one, timestamp };
    held = undefined;
  }
  for (const one of held ?? []) yield { ...one, timestamp };
}

/**
 * The records of several files as those of one, by their times. The records of a file keep their order. At the same time, a file that has
 * begun goes on first.
 */
export function* mergeByTime(files: readonly Iterable<StoredRecord>[]): Generator<StoredRecord> {
  const heads = files.flatMap((file) => {
    const records = file[Symbol.iterator]();
    const { value, done } = records.next();
    return done ? [] : [{ records, next: value as StoredRecord }];
  });
  let last: (typeof heads)[number] | undefined;
  try {
    while (heads.length > 0) {
      let first = heads[0];
      for (const head of heads) {
        const order = compareTimes(head.next, first?.next);
        if (order < 0 || (order === 0 && head === last)) first = head;
      }
      if (first === undefined) return;
      yield first.next;
      last = first;
      const { value, done } = first.records.next();
      if (done) heads.splice(heads.indexOf(first), 1);
      else first.next = value;
    }
  } finally {
    // Whoever reads no further would leave the files open.
    for (const { records } of heads) records.return?.();
  }
}

/** A file without any time comes first. Times in ISO 8601 and UTC sort as text. */
function compareTimes(a: StoredRecord, b: StoredRecord | undefined): number {
  const [one, other] = [a.timestamp ?? "", b?.timestamp ?? ""];
  return one === other ? 0 : one < other ? -1 : 1;
}
