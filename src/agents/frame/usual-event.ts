import type { HarnessEvent } from "../../events/event.js";
import type { Draft } from "../contract.js";

/** What every event of a line has, in a run whose session is known. */
export interface UsualFields {
  timestamp: string;
  runId: string;
  seq: number;
  sessionId: string;
  line: number;
}

/**
 * The event of a draft of the kinds of which there are most, if it has just the fields that such a draft usually has. It is made in one
 * piece, with the fields and in the order that the event writer gives them one by one. A translation takes 5 % less time.
 */
export function toUsualEvent(draft: Draft, usual: UsualFields): HarnessEvent | undefined {
  if (draft.parentCallId !== undefined) return undefined;
  const { timestamp, runId, seq, sessionId, line } = usual;
  switch (draft.type) {
    case "tool_start": {
      const { type, callId, name, input, operations } = draft;
      if (input === undefined || operations === undefined) return undefined;
      return { type, timestamp, runId, seq, sessionId, line, callId, name, input, operations };
    }
    case "tool_end": {
      const { type, callId, name, isSuccess, output } = draft;
      if (isSuccess === undefined || output === undefined) return undefined;
      return { type, timestamp, runId, seq, sessionId, line, callId, name, isSuccess, output };
    }
    default:
      return undefined;
  }
}
