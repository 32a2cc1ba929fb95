import type { HarnessEvent } from "../../events/event.js";

/**
 * True when the main agent goes on to something new, so that what it said before was narration: it
 * thinks, speaks, or starts a call. The end of a call is nothing new (Codex 0.166.0 completes its to-do
 * list after the answer), nor is what a finished call did, nor what a subagent does, nor a diagnostic.
 */
export function isFurtherWork(event: HarnessEvent): boolean {
  if (event.parentCallId !== undefined) return false;
  switch (event.type) {
    case "text":
    case "thinking":
    case "tool_start":
      return true;
    case "agent":
      return event.role === undefined;
    case "command":
    case "read":
    case "write":
    case "search":
    case "list":
    case "skill":
    case "orchestration":
      return event.callId === undefined;
    default:
      return false;
  }
}
