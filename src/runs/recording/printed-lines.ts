import { isUtf8 } from "node:buffer";
import { toRawLine } from "../../events/raw-jsonl.js";
import type { LineRecord } from "../../events/raw-record.js";
import { type FileWriter, viewOf } from "../files/file-writer.js";
import { escapeBytes, longestEscape } from "./escape-bytes.js";

/** Lines as they were printed, which are the last lines of a batch. */
export interface PrintedLines extends Pick<LineRecord, "timestamp" | "stream"> {
  /** Whole lines, each with its line feed. */
  bytes: Buffer;
  /** The step of the first of these lines. It and all later steps are theirs. */
  firstStep: number;
}

const lineFeed = 10;
const endOfRecord = Buffer.from('"}\n');
/** A longer line is escaped in parts, so that each fits into the buffer of the writer. */
const partBytes = 16 * 1024;

/**
 * Writes the records of lines, each as `toRawLine` gives it. Returns false, and has written nothing, if a line is not valid
 * UTF-8: its record has the bytes in another form.
 */
export function writePrintedLines(
  { bytes, timestamp, stream }: PrintedLines,
  { put }: Pick<FileWriter, "put">,
): boolean {
  if (!isUtf8(bytes)) return false;
  const emptyRecord = Buffer.from(toRawLine({ timestamp, stream, line: "" }));
  const startOfRecord = emptyRecord.subarray(0, -endOfRecord.length);
  const mostAround = emptyRecord.length;
  const source = viewOf(bytes);
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(lineFeed, start);
    let to = start;
    do {
      const from = to;
      to = Math.min(end, from + partBytes);
      put(mostAround + (to - from) * longestEscape, (target, at) => {
        let filled = at;
        if (from === start) {
          target.bytes.set(startOfRecord, filled);
          filled += startOfRecord.length;
        }
        filled = escapeBytes(source, from, to, target, filled);
        if (to < end) return filled;
        target.bytes.set(endOfRecord, filled);
        return filled + endOfRecord.length;
      });
    } while (to < end);
    start = end + 1;
  }
  return true;
}
