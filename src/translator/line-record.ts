import type { LineRecord } from "../vocabulary/raw-record.js";

/** The text of a recorded line. Bytes that are not valid UTF-8 show as U+FFFD; the record keeps them. */
export function decodeLine(record: LineRecord): { text: string; isWhole: boolean } {
  const isWhole = record.droppedBytes === undefined;
  if (record.line !== undefined) return { text: record.line, isWhole };
  const bytes = Uint8Array.from(atob(record.bytes ?? ""), (character) => character.charCodeAt(0));
  return { text: new TextDecoder().decode(bytes), isWhole };
}

/** For people: what is missing of a line that was longer than the limit. */
export function describeCut({ stream, droppedBytes }: LineRecord): string {
  return `a line on ${stream} was longer than the limit: ${droppedBytes} bytes of it were dropped`;
}
