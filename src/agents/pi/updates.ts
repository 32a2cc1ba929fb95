import { asObject, asText } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import { parseJson } from "../../text/parse-json.js";
import type { Sink } from "../contract.js";
import { isWholeRecord } from "../shared/whole-record.js";

/** One `assistantMessageEvent`: the small part of a `message_update`. */
export interface Update {
  type: string;
  delta?: string | undefined;
}

const opening = '{"type":"message_update","assistantMessageEvent":{"type":"';

/**
 * In 0.74 each update repeats the whole message so far, twice, after the new piece: an answer of 1 MB is printed as 24 MB.
 * So the piece is read from the beginning of the line. Undefined if the line does not have exactly that shape. It is then
 * parsed like any other line.
 */
export function readUpdate(line: string): Update | undefined {
  if (!line.startsWith(opening) || !line.endsWith("}}") || !isWholeRecord(line)) return undefined;
  const head = /^([a-z_]+)","contentIndex":\d+,"(partial|delta|content|toolCall)":/.exec(
    line.slice(opening.length, opening.length + 80),
  );
  const [whole = "", type = "", field] = head ?? [];
  if (!Object.hasOwn(fieldOf, type) || fieldOf[type] !== field) return undefined;
  if (field !== "delta") return { type };
  const start = opening.length + whole.length;
  const end = endOfString(line, start);
  if (end === undefined || !line.startsWith(',"partial":{', end)) return undefined;
  const delta = parseJson(line.slice(start, end));
  return typeof delta === "string" ? { type, delta } : undefined;
}

/** The id of the call whose output so far a line repeats, from its beginning. */
export function readCallId(line: string): string | undefined {
  const head = /^\{"type":"tool_execution_update","toolCallId":"([^"\\]+)",/.exec(line.slice(0, 400));
  return head !== null && isWholeRecord(line) ? head[1] : undefined;
}

/** The field that follows the index, by the type of the event. */
const fieldOf: Readonly<Record<string, string>> = {
  text_start: "partial",
  text_delta: "delta",
  text_end: "content",
  thinking_start: "partial",
  thinking_delta: "delta",
  thinking_end: "content",
  toolcall_start: "partial",
  toolcall_delta: "delta",
  toolcall_end: "toolCall",
};

/** Where the JSON string that begins at `start` ends: after the first quote with an even number of backslashes before it. */
function endOfString(line: string, start: number): number | undefined {
  if (line.charAt(start) !== '"') return undefined;
  for (let quote = line.indexOf('"', start + 1); quote !== -1; quote = line.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (line.charAt(quote - 1 - backslashes) === "\\") backslashes += 1;
    if (backslashes % 2 === 0) return quote + 1;
  }
  return undefined;
}

/** The same from the parsed record. */
export function updateOf(record: JsonObject): Update | undefined {
  const event = asObject(record["assistantMessageEvent"]);
  const type = asText(event?.["type"]);
  return type === undefined ? undefined : { type, delta: deltaOf(event) };
}

function deltaOf(event: JsonObject | undefined): string | undefined {
  const delta = event?.["delta"];
  return typeof delta === "string" ? delta : undefined;
}

export function emitUpdate({ type, delta }: Update, messageId: string, out: Sink): void {
  if (type === "text_delta" && delta) out.emit({ type: "text", delta, messageId });
  else if (type === "thinking_delta" && delta) out.emit({ type: "thinking", delta });
  else out.consume(`message_update/${type}: the whole message follows`);
}

export function isKnownUpdate({ type }: Update): boolean {
  return Object.hasOwn(fieldOf, type) || moments.has(type);
}

/** Updates of other versions. `message_end` repeats everything that they say. */
const moments: ReadonlySet<string> = new Set(["start", "done", "error"]);
