import type { HarnessEvent } from "../../events/event.js";

/**
 * True if the main agent goes on to something new: it thinks, speaks or starts a call. Then what it said before was narration.
 * The end of a call is not new (Codex 0.166.0 completes its to-do list after the answer). Nor is what a finished call did,
 * what a subagent does, or a diagnostic.
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
