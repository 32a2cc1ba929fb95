import type { RawRecord } from "../../events/raw-record.js";
import { createLineSplitter, type LineExtra } from "../../process/line-splitter.js";

/** Turns bytes into records, however they are chunked. */
export interface RecordSplitter {
  push(chunk: Buffer): RawRecord[];
  /** No more bytes. */
  end(): RawRecord[];
}

/** Splits bytes into lines and returns their records. Lines without a record are left out. */
export function gatherRecords(
  toRecord: (line: string, extra: LineExtra | undefined) => RawRecord | undefined,
  limits: { maxLineBytes?: number } = {},
): RecordSplitter {
  let records: RawRecord[] = [];
  const splitter = createLineSplitter({
    ...limits,
    onLine(line, extra) {
      const record = toRecord(line, extra);
      if (record !== undefined) records.push(record);
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
