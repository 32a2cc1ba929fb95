import { createLineSplitter } from "../process/line-splitter.js";
import type { RawRecord } from "../vocabulary/raw-record.js";
import { parseRawRecord } from "./parse-record.js";

/** A line of 64 MiB may double when it is written as JSON, and base64 adds a third. */
const maxRecordBytes = 400 * 1024 * 1024;

/** Turns the bytes of a `raw.jsonl` into records, however they are chunked. */
export interface RecordSplitter {
  push(chunk: Buffer): RawRecord[];
  /** No more bytes. A torn last line, as a harness that was killed leaves it, is left out. */
  end(): RawRecord[];
}

/** A line that is no record is told as a notice, so that line numbers stay true. */
export function createRecordSplitter(): RecordSplitter {
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

  function take(): RawRecord[] {
    const taken = records;
    records = [];
    return taken;
  }

  return {
    push(chunk) {
      splitter.push(chunk);
      return take();
    },
    end() {
      splitter.end();
      return take();
    },
  };
}

function damaged(lineNumber: number, timestamp: string): RawRecord {
  const message = `line ${lineNumber} of the recording is damaged and is left out`;
  return { timestamp, stream: "harness", code: "damaged_recording", message };
}
