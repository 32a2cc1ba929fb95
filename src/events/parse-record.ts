import { isObject } from "../text/fields.js";
import { exitReasons } from "./failure.js";
import type { RawRecord } from "./raw-record.js";

const reasons: ReadonlySet<unknown> = new Set(exitReasons);
const streams: ReadonlySet<unknown> = new Set(["stdout", "stderr", "harness", "exit"]);

/** The record of a line of `raw.jsonl`, or undefined when the line is none. */
export function parseRawRecord(line: string): RawRecord | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isRawRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Looks at the fields that a translator relies on, and at no others: recordings are long. */
function isRawRecord(value: unknown): value is RawRecord {
  if (!isObject(value) || typeof value["timestamp"] !== "string" || !streams.has(value["stream"]))
    return false;
  if (value["stream"] === "exit")
    return (
      (value["exitCode"] === null || typeof value["exitCode"] === "number") && reasons.has(value["reason"])
    );
  if (value["stream"] === "harness")
    return typeof value["message"] === "string" && typeof value["code"] === "string";
  return typeof value["line"] === "string" || typeof value["bytes"] === "string";
}
