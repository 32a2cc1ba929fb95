import { createReadStream } from "node:fs";
import { createLineSplitter } from "../process/line-splitter.js";
import type { RawRecord } from "../vocabulary/raw-record.js";
import { parseRawRecord } from "./parse-record.js";

const chunkBytes = 256 * 1024;
/** A line of 64 MiB may double when it is written as JSON, and base64 adds a third. */
const maxRecordBytes = 400 * 1024 * 1024;

/**
 * The records of a `raw.jsonl`, in arrays as they are read. A torn last line, as a harness that was
 * killed leaves it, is left out; any other line that is no record is told as a notice.
 */
export async function* readRecording(path: string): AsyncGenerator<RawRecord[]> {
  let records: RawRecord[] = [];
  let timestamp = new Date(0).toISOString();
  let lineNumber = 0;
  const splitter = createLineSplitter({
    maxLineBytes: maxRecordBytes,
    onLine(line, extra) {
      lineNumber += 1;
      const record = parseRawRecord(line);
      if (record === undefined && extra?.newline === false) return;
      records.push(record ?? damaged(lineNumber, timestamp));
      timestamp = record?.timestamp ?? timestamp;
    },
  });
  for await (const chunk of createReadStream(path, { highWaterMark: chunkBytes })) {
    splitter.push(chunk);
    if (records.length === 0) continue;
    yield records;
    records = [];
  }
  splitter.end();
  if (records.length > 0) yield records;
}

function damaged(lineNumber: number, timestamp: string): RawRecord {
  const message = `line ${lineNumber} of the recording is damaged and is left out`;
  return { timestamp, stream: "harness", code: "damaged_recording", message };
}
