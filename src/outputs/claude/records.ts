import type { HarnessEvent } from "../../events/event.js";
import type { JsonObject } from "../../text/json.js";
import type { ClaudeDraft, ClaudeRecord } from "./schema.js";

/** Writes records: each gets what every record has. */
export interface Records {
  /** The run, the session and the time of what follows. The session that is given first stays. */
  begin(event: HarnessEvent): void;
  add(draft: ClaudeDraft): void;
  /** An event that Claude Code has no record for. */
  addEvent(event: HarnessEvent): void;
  /** What was added since the last time. */
  take(): ClaudeRecord[];
}

export function createRecords(): Records {
  let records: ClaudeRecord[] = [];
  let sessionId: string | undefined;
  let timestamp = "";
  let runId = "";
  let count = 0;

  function add(draft: ClaudeDraft): void {
    count += 1;
    const session_id = sessionId ?? runId;
    records.push({ ...draft, session_id, uuid: uuidOf(`${runId} ${count}`), timestamp } as ClaudeRecord);
  }

  return {
    begin(event) {
      runId = event.runId;
      timestamp = event.timestamp;
      // Once a record is out, the session cannot change its name.
      if (count === 0) sessionId = event.sessionId ?? sessionId;
    },
    add,
    addEvent: (event) =>
      add({
        type: "system",
        subtype: "harness_event",
        "harness-stream": { event: { ...event } as unknown as JsonObject },
      }),
    take() {
      const taken = records;
      records = [];
      return taken;
    },
  };
}

/** An id in the shape of a UUID, always the same for the same text. */
function uuidOf(text: string): string {
  const hex = [0, 1, 2, 3].map((seed) => hash(text, seed).toString(16).padStart(8, "0")).join("");
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20),
  ].join("-");
}

/** FNV-1a with a seed. */
function hash(text: string, seed: number): number {
  let value = 0x811c9dc5 ^ (seed * 0x9e3779b1);
  for (let index = 0; index < text.length; index += 1)
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d);
  return (value ^ (value >>> 13)) >>> 0;
}
