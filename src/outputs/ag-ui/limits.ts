import { cutText } from "../../text/cut.js";
import type { JsonObject, JsonValue } from "../../text/json.js";
import { toJson } from "../../text/to-json.js";

/**
 * AG-UI's own client fails if one event of the stream is longer than 10 MB. Escapes can make a text six times as long, so this is
 * the most that goes into one event.
 */
const longest = 1_000_000;

/** A text as pieces that are never too long. Joined, they are the text. */
export function textPieces(text: string): string[] {
  if (text.length <= longest) return [text];
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = at + longest;
    // Never between the halves of a surrogate pair.
    const isSplit = end < text.length && /[\ud800-\udbff]/.test(text.charAt(end - 1));
    pieces.push(text.slice(at, isSplit ? end + 1 : end));
    at = isSplit ? end + 1 : end;
  }
  return pieces;
}

/** The beginning and the end of a text that is too long. */
export function limitedText(text: string): string {
  const { head, tail, omitted } = cutText(text, longest);
  return omitted === 0 ? text : `${head}\n… (${omitted} characters are left out here) …\n${tail}`;
}

/** A value as it is, or, if it is too long, what is left of its JSON text. */
export function limitedJson(value: JsonValue): JsonValue {
  if (typeof value === "string") return limitedText(value);
  if (typeof value !== "object" || value === null) return value;
  const json = toJson(value);
  return json.length <= longest ? value : limitedText(json);
}

/** The same for a value that has to be an object. */
export function limitedObject(value: JsonObject): JsonObject {
  const limited = limitedJson(value);
  return limited === value ? value : { cut: limited };
}
