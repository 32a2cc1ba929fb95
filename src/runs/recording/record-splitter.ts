import { createRecordReader } from "../../events/raw-jsonl.js";
import { gatherRecords, type RecordSplitter } from "./gather-records.js";

/** A line of 64 MiB may double when it is written as JSON, and base64 adds a third. */
const maxLineBytes = 400 * 1024 * 1024;

/** Turns the bytes of a `raw.jsonl` into records. */
export function createRecordSplitter(): RecordSplitter {
  const read = createRecordReader();
  return gatherRecords((line, extra) => read(line, extra?.newline === false), { maxLineBytes });
}
