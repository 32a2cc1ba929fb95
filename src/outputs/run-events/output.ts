import type { EventOf, HarnessEvent } from "../../events/event.js";
import type { Format, FormatOptions, OutputDefinition, View } from "../contract.js";
import { createJsonLines } from "../json-lines.js";
import { createCallItems } from "./call-items.js";
import { toExited, toItem, toSuggestedEdits } from "./items.js";
import { createNarration } from "./narration.js";
import { createOrderedItems } from "./ordered-items.js";
import type { RunEvent } from "./schema.js";
import { toSessionItem } from "./session-items.js";

/**
 * `--format run-events`: what a user interface shows of a run. Left out: the messages of users and systems, the deltas of subagents (their whole messages are activities), usage of other scopes than
 * the run, the plans of one-shot runs and of subagents, structured `unknown`, and whatever has no words or numbers in it.
 */
export const runEventsFormat: Format<RunEvent> = { name: "run-events", create: createRunEventsView };

export const runEventsOutput = {
  name: "run-events",
  summary: "events for user interfaces",
  isForPeople: false,
  schema: async () => (await import("./schema.js")).RunEvent,
  open: (options) => createJsonLines(runEventsFormat.create(options)),
} as const satisfies OutputDefinition;

function createRunEventsView({ narrates = false }: FormatOptions = {}): View<RunEvent> {
  const items = createOrderedItems();
  const narration = createNarration(items, narrates);
  const calls = createCallItems();
  let cwd: string | undefined;
  /** Why the run failed. It comes right before `exited`. */
  let failure: string | undefined;
  let isOver = false;

  function add(event: HarnessEvent): void {
    narration.observe(event);
    switch (event.type) {
      case "text":
        return narration.piece(event);
      case "agent":
        return narration.message(event);
      case "result":
        return narration.end(event.runId);
      case "exited":
        return finish(event);
      case "error":
        if (!isRepeatedIn(failure, event.message)) items.add(toItem(event, cwd));
        return;
      case "tool_start":
      case "tool_end":
        return addAll(calls.items(event, cwd));
      case "edits":
        return addAll(toSuggestedEdits(event));
      default:
        if (event.type === "started" || event.type === "session") cwd = event.cwd || cwd;
        if (event.type === "turn_end") narration.end(event.runId);
        if (!calls.isAnnounced(event)) items.add(toSessionItem(event, cwd) ?? toItem(event, cwd));
    }
  }

  function addAll(found: readonly RunEvent[]): void {
    for (const item of found) items.add(item);
  }

  function finish(event: EventOf<"exited">): void {
    narration.end(event.runId);
    if (failure !== undefined) items.add({ kind: "error", runId: event.runId, message: failure });
    items.add(toExited(event));
    isOver = true;
  }

  return {
    push(events) {
      failure ??= failureIn(events);
      for (const event of events) if (!isOver) add(event);
      return items.take();
    },
  };
}

/** Why the run failed, when its end is among these events. */
function failureIn(events: readonly HarnessEvent[]): string | undefined {
  for (const event of events) {
    if (event.type === "result" && !event.isSuccess) return event.failure?.message || "the run failed";
  }
  return undefined;
}

/**
 * A failed run ends with an `error` event and with the failure of `result`. If the event only adds the exit code to the same
 * words, one `error` item says them. Otherwise both appear.
 */
function isRepeatedIn(failure: string | undefined, message: string): boolean {
  return failure !== undefined && message.includes(failure);
}
