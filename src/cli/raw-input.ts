import { isObject } from "../translator/fields.js";
import type { RawRecord } from "../vocabulary/raw-record.js";

const streams: ReadonlySet<unknown> = new Set(["stdout", "stderr", "harness", "exit"]);

/** True when a line is a record of `raw.jsonl` and not an agent's own output. */
export function isRawRecord(line: string): boolean {
  return parseRawRecord(line) !== undefined;
}

/** The record, or undefined when the line is none (a torn last line, for one). */
export function parseRawRecord(line: string): RawRecord | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The fields that a translator relies on. */
function isRecord(value: unknown): value is RawRecord {
  if (!isObject(value) || typeof value["timestamp"] !== "string" || !streams.has(value["stream"])) return false;
  if (value["stream"] === "exit") return value["exitCode"] === null || typeof value["exitCode"] === "number";
  if (value["stream"] === "harness") return typeof value["message"] === "string" && typeof value["code"] === "string";
  return typeof value["line"] === "string" || typeof value["bytes"] === "string";
}
