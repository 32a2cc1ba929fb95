import type { EventOf, HarnessEvent } from "../../events/event.js";
import { createSpokenText } from "../../story/spoken-text.js";
import type { Format, FormatOptions, OutputDefinition, View } from "../contract.js";
import { createJsonLines } from "../json-lines.js";
import { createCallItems } from "./call-items.js";
import { toActivity, toExited, toItem, toSuggestedEdits } from "./items.js";
import { isFurtherWork } from "./narration.js";
import { createOrderedItems } from "./ordered-items.js";
import type { RunEvent } from "./schema.js";

/**
 * `--format run-events`: what a user interface shows of a run. Left out: the messages of users and systems, the deltas of subagents (their whole messages are activities), usage of other scopes than
 * the run, structured `unknown`, and whatever has no words or numbers in it.
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
  const streamed = createSpokenText();
  const calls = createCallItems();
  let cwd: string | undefined;
  /** The latest message of an agent that narrates, until it is known whether it was the answer. */
  let held: string | undefined;
  /** Why the run failed. It comes right before `exited`. */
  let failure: string | undefined;
  /** The same in the words of the stream's last error, which adds how the process ended. */
  let terminal: string | undefined;
  let isOver = false;

  function add(event: HarnessEvent): void {
    if (held !== undefined && isFurtherWork(event)) narrate(event.runId, held);
    switch (event.type) {
      case "text":
        return addDelta(event);
      case "agent":
        return addMessage(event);
      case "result":
        return answer(event.runId);
      case "exited":
        return finish(event);
      case "error":
        return addError(event);
      case "tool_start":
      case "tool_end":
        return addAll(calls.items(event, cwd));
      case "edits":
        return addAll(toSuggestedEdits(event));
      default:
        if (event.type === "started" || event.type === "session") cwd = event.cwd || cwd;
        if (!calls.isAnnounced(event)) items.add(toItem(event, cwd));
    }
  }

  function addAll(found: readonly RunEvent[]): void {
    for (const item of found) items.add(item);
  }

  function addError(event: EventOf<"error">): void {
    if (isRepeatedIn(failure, event.message)) terminal = event.message;
    else items.add(toItem(event, cwd));
  }

  function addDelta(event: EventOf<"text">): void {
    const { runId, parentCallId, delta } = event;
    if (parentCallId !== undefined || delta === "") return;
    streamed.add(event);
    items.add({ kind: "text", runId, delta });
  }

  function addMessage(event: EventOf<"agent">): void {
    const { runId, parentCallId, role, message } = event;
    if (role !== undefined) return;
    if (parentCallId !== undefined) {
      items.add(toActivity(runId, `Subagent: ${message}`));
      return;
    }
    const rest = streamed.rest(event);
    if (rest === "") return;
    held = rest;
    if (!narrates) answer(runId);
  }

  /** The held message was narration. It becomes an activity, in the place where its text would be. */
  function narrate(runId: string, message: string): void {
    items.add(toActivity(runId, message), "text");
    held = undefined;
  }

  /** The held message was the last one, so it is the answer. */
  function answer(runId: string): void {
    if (held !== undefined) items.add({ kind: "text", runId, delta: held });
    held = undefined;
  }

  function finish(event: EventOf<"exited">): void {
    answer(event.runId);
    const isKilled = event.signal !== undefined;
    const message = isKilled ? (terminal ?? failure) : failure;
    if (message !== undefined) items.add({ kind: "error", runId: event.runId, message });
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
