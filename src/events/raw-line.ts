import { toJson } from "../text/to-ndjson.js";
import type { RawRecord } from "./raw-record.js";

/**
 * A record as the line of `raw.jsonl`, exactly as JSON. Every line of every run comes through here, and to write the
 * frame of an ordinary one by hand takes a third less than to have it found out: times and names need no escapes.
 */
export function toRawLine(record: RawRecord): string {
  return isOrdinary(record) ? ordinaryLine(record) : `${toJson(record)}\n`;
}

interface OrdinaryRecord {
  timestamp: string;
  stream: "stdout" | "stderr";
  line: string;
}

function isOrdinary(record: RawRecord): record is OrdinaryRecord {
  if (record.stream !== "stdout" && record.stream !== "stderr") return false;
  return record.line !== undefined && record.newline === undefined && record.droppedBytes === undefined;
}

function ordinaryLine({ timestamp, stream, line }: OrdinaryRecord): string {
  return `{"timestamp":"${timestamp}","stream":"${stream}","line":${JSON.stringify(line)}}\n`;
}
