import { decodeBase64, isBase64 } from "../text/base64.js";
import { isObject } from "../text/fields.js";
import type { JsonObject } from "../text/json.js";
import { parseOwnJson } from "../text/parse-json.js";
import { toJson } from "../text/to-json.js";
import { exitReasons } from "./failure.js";
import type { LineRecord, RawRecord } from "./raw-record.js";

/*
 * The lines of `raw.jsonl`, written and read. The schemas of the records are in `raw-record.ts`; a run does not load them.
 */

/**
 * A record as a line of `raw.jsonl`. Every line of every run comes through here, and building the JSON of an ordinary record
 * by hand is a third faster than `JSON.stringify`: timestamps and stream names need no escapes.
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

const reasons: ReadonlySet<unknown> = new Set(exitReasons);
const streams: ReadonlySet<unknown> = new Set([
  "stdout",
  "stderr",
  "received",
  "stored",
  "sent",
  "harness",
  "process",
  "changes",
  "exit",
]);

/** The record of a line of `raw.jsonl`, or undefined if the line is not a record. */
export function parseRawRecord(line: string): RawRecord | undefined {
  const value = parseOwnJson(line);
  return isRawRecord(value) ? value : undefined;
}

/** Checks only the fields that a translator relies on: recordings are long. */
function isRawRecord(value: unknown): value is RawRecord {
  if (!isObject(value) || typeof value["timestamp"] !== "string" || !streams.has(value["stream"]))
    return false;
  if (value["stream"] === "process") return isExitCode(value["exitCode"]);
  if (value["stream"] === "exit") return isExitCode(value["exitCode"]) && reasons.has(value["reason"]);
  if (value["stream"] === "changes") return isChanges(value);
  if (value["stream"] === "sent") return typeof value["line"] === "string";
  if (value["stream"] === "harness")
    return typeof value["message"] === "string" && typeof value["code"] === "string";
  return (
    typeof value["line"] === "string" || (typeof value["bytes"] === "string" && isBase64(value["bytes"]))
  );
}

function isChanges({ root, files, insertions, deletions }: JsonObject): boolean {
  return (
    typeof root === "string" &&
    typeof insertions === "number" &&
    typeof deletions === "number" &&
    Array.isArray(files) &&
    files.every((file) => isObject(file) && typeof file["path"] === "string")
  );
}

function isExitCode(value: unknown): boolean {
  return value === null || typeof value === "number";
}

/**
 * Reads the lines of a `raw.jsonl` one by one. A line that is not a record becomes a notice, so that line numbers stay true.
 * A torn last line is left out: a harness that was killed leaves one.
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

/** A record as text, for people: its line or message, or how the process ended. */
export function textOfRecord(record: RawRecord): string {
  switch (record.stream) {
    case "harness":
      return record.message;
    case "sent":
      return record.line;
    case "process":
    case "changes":
    case "exit": {
      const { timestamp, stream, ...how } = record;
      return JSON.stringify(how);
    }
    default:
      return decodeLine(record);
  }
}

/** The text of a recorded line. Bytes that are not valid UTF-8 show as U+FFFD; the record keeps them. */
export function decodeLine(record: LineRecord): string {
  return record.line ?? new TextDecoder().decode(decodeBase64(record.bytes ?? ""));
}
