import type { LineRecord } from "../events/raw-record.js";
import type { LineExtra } from "./line-splitter.js";

/** Turns a line from the splitter into a raw record. */
export function toLineRecord(
  stream: LineRecord["stream"],
  timestamp: string,
  line: string,
  extra: LineExtra | undefined,
): LineRecord {
  if (extra === undefined) return { timestamp, stream, line };
  const { bytes, droppedBytes, newline } = extra;
  return {
    timestamp,
    stream,
    ...(bytes === undefined ? { line } : { bytes: bytes.toString("base64") }),
    ...(newline === false && { newline }),
    ...(droppedBytes !== undefined && { droppedBytes }),
  };
}
