import type { RawRecord } from "../../events/raw-record.js";
import { streamRegularFile } from "../files/regular-file.js";
import { createRecordSplitter } from "./record-splitter.js";

const chunkBytes = 256 * 1024;

/**
 * The records of a `raw.jsonl`, in arrays as they are read. A torn last line, as a harness that was
 * killed leaves it, is left out. Any other line that is not a record becomes a notice.
 */
export async function* readRecording(path: string): AsyncGenerator<RawRecord[]> {
  const splitter = createRecordSplitter();
  for await (const chunk of streamRegularFile(path, chunkBytes)) {
    const records = splitter.push(chunk);
    if (records.length > 0) yield records;
  }
  const rest = splitter.end();
  if (rest.length > 0) yield rest;
}
