import { createLineSplitter } from "../../process/line-splitter.js";

/** Reads a stream of server-sent events. Names, ids and comments of events are not needed and are dropped. */
export interface EventReader {
  push(chunk: Buffer): void;
}

export interface EventReaderOptions {
  /** The data of one event, on one line. Called before `push` returns. */
  onData(data: string): void;
  /** An event was longer than the limit. Its data was cut off there. */
  onCut(droppedBytes: number): void;
  maxBytes: number;
}

/** An event whose last line never came is not an event: the stream broke off inside it. */
export function createEventReader({ onData, onCut, maxBytes }: EventReaderOptions): EventReader {
  let data: string | undefined;
  let dropped = 0;

  function field(line: string): void {
    const value = dataOf(line);
    if (value === undefined) return;
    const whole = data === undefined ? value : `${data} ${value}`;
    data = whole.slice(0, maxBytes);
    dropped += whole.length - data.length;
  }

  function dispatch(): void {
    if (dropped > 0) onCut(dropped);
    if (data !== undefined) onData(data);
    data = undefined;
    dropped = 0;
  }

  const lines = createLineSplitter({
    maxLineBytes: maxBytes,
    onLine(text, extra) {
      const line = text.endsWith("\r") ? text.slice(0, -1) : text;
      dropped += extra?.droppedBytes ?? 0;
      if (line === "") dispatch();
      else field(line);
    },
  });
  return { push: (chunk) => lines.push(chunk) };
}

/**
 * Several lines of data are one text with line feeds, which becomes one line: in JSON a line feed can only be between
 * tokens, where a space is as good.
 */
function dataOf(line: string): string | undefined {
  if (line === "data") return "";
  if (!line.startsWith("data:")) return undefined;
  return line.slice(line.startsWith("data: ") ? 6 : 5);
}
