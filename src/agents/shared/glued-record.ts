import { asObject } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import { parseJson } from "../../text/parse-json.js";

/**
 * The record at the end of a line that begins with other text. Programs print notices of their own without a line feed,
 * and the next record follows on the same line. Undefined if the rest of the line is not exactly one record.
 */
export function recordAtEnd(line: string): { before: string; record: JsonObject } | undefined {
  const start = line.indexOf('{"type":"');
  if (start <= 0) return undefined;
  const record = asObject(parseJson(line.slice(start)));
  return record && { before: line.slice(0, start), record };
}
