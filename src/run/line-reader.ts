import { createLineSplitter } from "../process/line-splitter.js";
import { toLineRecord } from "../process/to-line-record.js";
import type { Step } from "../recording/step.js";
import type { Translator } from "../translator/contract.js";
import type { LineRecord } from "../vocabulary/raw-record.js";

export interface LineReaderOptions {
  stream: LineRecord["stream"];
  translator: Translator;
  maxLineBytes?: number | undefined;
}

/** Turns the chunks of one pipe into steps. */
export interface LineReader {
  /** All lines of a chunk get the time that the chunk was read at. */
  push(chunk: Buffer, timestamp: string): Step[];
  /** The last line, if it had no line feed. */
  end(timestamp: string): Step[];
  /** There were events from later lines than the one that was the agent's last word. */
  readonly hasSpokenSinceDone: boolean;
}

export function createLineReader({ stream, translator, maxLineBytes }: LineReaderOptions): LineReader {
  let steps: Step[] = [];
  let timestamp = "";
  let hasSpokenSinceDone = false;

  const splitter = createLineSplitter({
    ...(maxLineBytes !== undefined && { maxLineBytes }),
    onLine(line, extra) {
      const record = toLineRecord(stream, timestamp, line, extra);
      const wasDone = translator.isDone;
      const events = translator.record(record);
      if (!wasDone || !translator.isDone) hasSpokenSinceDone = false;
      else if (events.length > 0) hasSpokenSinceDone = true;
      if (events.length > 0) steps.push({ record, events });
      else steps.push({ record, events, rule: translator.lastRule ?? "no rule" });
    },
  });

  function take(): Step[] {
    const taken = steps;
    steps = [];
    return taken;
  }

  return {
    push(chunk, at) {
      timestamp = at;
      splitter.push(chunk);
      return take();
    },
    end(at) {
      timestamp = at;
      splitter.end();
      return take();
    },
    get hasSpokenSinceDone() {
      return hasSpokenSinceDone;
    },
  };
}
