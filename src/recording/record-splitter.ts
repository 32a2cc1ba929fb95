import type { RawRecord } from "../vocabulary/raw-record.js";
import { gatherRecords, type RecordSplitter } from "./gather-records.js";
import { parseRawRecord } from "./parse-record.js";

/** A line of 64 MiB may double when it is written as JSON, and base64 adds a third. */
const maxLineBytes = 400 * 1024 * 1024;

/**
 * Turns the bytes of a `raw.jsonl` into records. A line that is no record is told as a notice, so that line numbers stay
 * true; a torn last line, as a harness that was killed leaves it, is left out.
 */
export function createRecordSplitter(): RecordSplitter {
  let timestamp = new Date(0).toISOString();
  let lineNumber = 0;

  return gatherRecords(
    (line, extra) => {
      lineNumber += 1;
      const record = parseRawRecord(line);
      if (record === undefined && extra?.newline === false) return undefined;
      timestamp = record?.timestamp ?? timestamp;
      return record ?? damaged(lineNumber, timestamp);
    },
    { maxLineBytes },
  );
}

function damaged(lineNumber: number, timestamp: string): RawRecord {
  const message = `line ${lineNumber} of the recording is damaged and is left out`;
  return { timestamp, stream: "harness", code: "damaged_recording", message };
}
