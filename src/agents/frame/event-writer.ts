import type { HarnessEvent } from "../../events/event.js";
import type { Draft, TranslatorOptions } from "../contract.js";
import { laterOf } from "./times.js";

/** Turns drafts into events: numbers them, and adds the time, the run, the session and the line. */
export interface EventWriter {
  write(draft: Draft): void;
  /** The events since the last call. */
  take(): HarnessEvent[];
  /** The time of the events that follow. */
  setTime(at: string | undefined): void;
  /** The next record begins: the events that follow carry its number. */
  enterLine(): void;
  /** The events that follow come from no record. */
  leaveLine(): void;
  /** The first id stays. */
  identify(sessionId: string | undefined): void;
  readonly timestamp: string;
  /** How many events were written. */
  readonly count: number;
  /** The number of the record at hand, or of the last one. */
  readonly lineNumber: number;
  /** The same; undefined while the events come from no record. */
  readonly currentLine: number | undefined;
}

const beginningOfTime = "1970-01-01T00:00:00.000Z";

export function createEventWriter(options: TranslatorOptions): EventWriter {
  const runId = options.runId ?? "run";
  let sessionId = options.sessionId;
  let timestamp = beginningOfTime;
  let events: HarnessEvent[] = [];
  let seq = 0;
  let lineNumber = 0;
  let currentLine: number | undefined;

  return {
    write(draft) {
      const event: Record<string, unknown> = { type: draft.type, timestamp, runId, seq: seq++ };
      if (sessionId !== undefined) event["sessionId"] = sessionId;
      const line = draft.line ?? currentLine;
      if (line !== undefined) event["line"] = line;
      // A plain loop: this runs for every event of every run, and entries() would allocate for each field.
      for (const key in draft) {
        if (key === "type" || key === "line") continue;
        const value = draft[key as keyof Draft];
        if (value !== undefined) event[key] = value;
      }
      events.push(event as HarnessEvent);
    },
    take() {
      const taken = events;
      events = [];
      return taken;
    },
    setTime(at) {
      timestamp = laterOf(timestamp, at);
    },
    enterLine() {
      lineNumber += 1;
      currentLine = lineNumber;
    },
    leaveLine() {
      currentLine = undefined;
    },
    identify(id) {
      sessionId ??= id;
    },
    get timestamp() {
      return timestamp;
    },
    get count() {
      return seq;
    },
    get lineNumber() {
      return lineNumber;
    },
    get currentLine() {
      return currentLine;
    },
  };
}
