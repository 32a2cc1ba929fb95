import type { EventOf } from "../events/event.js";

/** Distinguishes a call whose outcome nobody reported from one that never ended. */
export interface UnfinishedCalls {
  started(event: EventOf<"tool_start">): void;
  /** True if the stream ended while the call was running: its end has no outcome, no output, and the line of its start. */
  isUnfinished(event: EventOf<"tool_end">): boolean;
}

export function createUnfinishedCalls(): UnfinishedCalls {
  const lines = new Map<string, number | undefined>();
  return {
    started: ({ callId, line }) => {
      lines.set(callId, line);
    },
    isUnfinished({ callId, line, isSuccess, output }) {
      const isAtStart = lines.has(callId) && lines.get(callId) === line;
      lines.delete(callId);
      return isAtStart && isSuccess === undefined && output === undefined;
    },
  };
}
