import type { LineRecord } from "./raw-record.js";

/** The text of a recorded line. Bytes that are not valid UTF-8 show as U+FFFD; the record keeps them. */
export function decodeLine(record: LineRecord): { text: string; isWhole: boolean } {
  const isWhole = record.droppedBytes === undefined;
  if (record.line !== undefined) return { text: record.line, isWhole };
  const bytes = Uint8Array.from(atob(record.bytes ?? ""), (character) => character.charCodeAt(0));
  return { text: new TextDecoder().decode(bytes), isWhole };
}
