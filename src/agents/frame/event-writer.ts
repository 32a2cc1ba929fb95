import type { HarnessEvent } from "../../events/event.js";
import type { Draft, TranslatorOptions } from "../contract.js";
import { laterOf } from "./times.js";
import { toUsualEvent } from "./usual-event.js";
import type { Writable } from "./writable.js";

/** Turns drafts into events: numbers them, and adds the time, the run, the session and the line. */
export interface EventWriter {
  write(draft: Draft): void;
  /** Returns the events since the last call. */
  take(): HarnessEvent[];
  /** Sets the time of the events that follow. */
  setTime(at: string | undefined): void;
  /** The next record begins. The events that follow carry its number. */
  enterLine(): void;
  /** The events that follow do not come from a record. */
  leaveLine(): void;
  /** The turn of the events that follow, in a live session. */
  setTurn(turnId: string | undefined): void;
  /** Only the first id counts. */
  identify(sessionId: string | undefined): void;
  /** Another process begins: its first id counts again. */
  identifyAgain(): void;
  readonly timestamp: string;
  /** A `session` event was written. */
  readonly hasSession: boolean;
  /** How many events were written. */
  readonly count: number;
  /** The number of the current record, or of the last one. */
  readonly lineNumber: number;
  /** The number of the current record; undefined if there is none. */
  readonly currentLine: number | undefined;
}

const beginningOfTime = "1970-01-01T00:00:00.000Z";

export function createEventWriter(options: TranslatorOptions): EventWriter {
  const runId = options.runId ?? "run";
  let sessionId = options.sessionId;
  let isIdentified = sessionId !== undefined;
  let turnId: string | undefined;
  let events: HarnessEvent[] | undefined;

  /** Most lines give one event. A list that is made with it is small; one that is made empty gets room for 17. */
  function add(event: HarnessEvent): void {
    if (events === undefined) events = [event];
    else events.push(event);
  }

  const writer: Writable<EventWriter> = {
    timestamp: beginningOfTime,
    hasSession: false,
    count: 0,
    lineNumber: 0,
    currentLine: undefined,
    write(draft) {
      const { timestamp } = writer;
      const line = draft.line ?? writer.currentLine;
      const seq = writer.count++;
      if (sessionId !== undefined && line !== undefined && turnId === undefined) {
        const usual = toUsualEvent(draft, { timestamp, runId, seq, sessionId, line });
        if (usual !== undefined) return add(usual);
      }
      const event: Record<string, unknown> = { type: draft.type, timestamp, runId, seq };
      if (sessionId !== undefined) event["sessionId"] = sessionId;
      if (line !== undefined) event["line"] = line;
      if (turnId !== undefined) event["turnId"] = turnId;
      if (draft.type === "session") writer.hasSession = true;
      // A plain loop: this runs for every event of every run, and entries() would allocate for each field.
      for (const key in draft) {
        if (key === "type" || key === "line") continue;
        const value = draft[key as keyof Draft];
        if (value !== undefined) event[key] = value;
      }
      add(event as HarnessEvent);
    },
    take() {
      const taken = events ?? [];
      events = undefined;
      return taken;
    },
    setTime(at) {
      writer.timestamp = laterOf(writer.timestamp, at);
    },
    enterLine() {
      writer.lineNumber += 1;
      writer.currentLine = writer.lineNumber;
    },
    setTurn(id) {
      turnId = id;
    },
    identifyAgain() {
      isIdentified = false;
    },
    leaveLine() {
      writer.currentLine = undefined;
    },
    identify(id) {
      if (id === undefined || isIdentified) return;
      sessionId = id;
      isIdentified = true;
    },
  };
  return writer;
}
