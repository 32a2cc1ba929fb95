import { parseRawRecord } from "./parse-record.js";
import type { RawRecord } from "./raw-record.js";

/**
 * Reads the lines of a `raw.jsonl` one by one. A line that is no record is told as a notice, so that line numbers stay true;
 * a torn last line, as a harness that was killed leaves it, is left out.
 */
export function createRecordReader(): (line: string, isUnended: boolean) => RawRecord | undefined {
  let timestamp = new Date(0).toISOString();
  let lineNumber = 0;
  return (line, isUnended) => {
    lineNumber += 1;
    const record = parseRawRecord(line);
    if (record === undefined && isUnended) return undefined;
    timestamp = record?.timestamp ?? timestamp;
    return record ?? damaged(lineNumber, timestamp);
  };
}

function damaged(lineNumber: number, timestamp: string): RawRecord {
  const message = `line ${lineNumber} of the recording is damaged and is left out`;
  return { timestamp, stream: "harness", code: "damaged_recording", message };
}
