import type { EventOf, HarnessEvent } from "../../events/event.js";
import { createSpokenText } from "../../story/spoken-text.js";
import { toActivity } from "./items.js";
import type { OrderedItems } from "./ordered-items.js";

/** What the agent says. Messages of an agent that narrates are held until it is known whether they were the answer. */
export interface Narration {
  /** Call it with every event, first. */
  observe(event: HarnessEvent): void;
  piece(event: EventOf<"text">): void;
  message(event: EventOf<"agent">): void;
  /** The turn or the run is over: the held message was the answer. */
  end(runId: string): void;
}

export function createNarration(items: OrderedItems, narrates: boolean): Narration {
  const streamed = createSpokenText();
  let held: string | undefined;

  function end(runId: string): void {
    if (held !== undefined) items.add({ kind: "text", runId, delta: held });
    held = undefined;
  }

  return {
    observe(event) {
      if (held === undefined || !isFurtherWork(event)) return;
      // Narration is an activity, in the place where its text would be.
      items.add(toActivity(event.runId, held), "text");
      held = undefined;
    },
    piece(event) {
      const { runId, parentCallId, delta } = event;
      if (parentCallId !== undefined || delta === "") return;
      streamed.add(event);
      items.add({ kind: "text", runId, delta });
    },
    message(event) {
      const { runId, parentCallId, role, message } = event;
      if (role !== undefined) return;
      if (parentCallId !== undefined) return items.add(toActivity(runId, `Subagent: ${message}`));
      const rest = streamed.rest(event);
      if (rest === "") return;
      held = rest;
      if (!narrates) end(runId);
    },
    end,
  };
}

/**
 * True if the main agent goes on to something new: it thinks, speaks, asks or starts a call. Then what it said before was narration.
 * The end of a call is not new (Codex 0.166.0 completes its to-do list after the answer). Nor is what a finished call did,
 * what a subagent does, or a diagnostic.
 */
function isFurtherWork(event: HarnessEvent): boolean {
  if (event.parentCallId !== undefined) return false;
  switch (event.type) {
    case "text":
    case "thinking":
    case "tool_start":
    case "request":
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
