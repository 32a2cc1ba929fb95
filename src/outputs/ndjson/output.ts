import type { EventOf, HarnessEvent } from "../../events/event.js";
import type { Format, OutputDefinition } from "../contract.js";
import { type AddingView, createAddingView, createJsonLines } from "../json-lines.js";
import { createUnfinishedCalls } from "../unfinished-calls.js";
import { createHeldErrors } from "./held-errors.js";
import { toItemText } from "./item-text.js";
import { toError, toResult, toToolEnd, toToolStart } from "./items.js";
import { createMillisecondsReader } from "./milliseconds.js";
import type { UnifiedEvent, UnifiedEventOf } from "./schema.js";

/**
 * `--format ndjson`: the unified stream. `SessionStart` waits for the agent to identify itself, but is written before any
 * other item; `Result` is the last item. In a live session each prompt is a `Message` of the user. Warnings, thinking, usage, edits, what was done, plans, requests, the ends of turns, `exited` and `unknown` are consumed.
 */
export const ndjsonFormat: Format<UnifiedEvent> = { name: "ndjson", create: createNdjsonView };

export const ndjsonOutput = {
  name: "ndjson",
  summary: "the unified stream, one JSON object per line",
  isForPeople: false,
  extensions: [".ndjson", ".jsonl"],
  schema: async () => (await import("./schema.js")).UnifiedEvent,
  open: () => createJsonLines(createNdjsonView(), toItemText),
} as const satisfies OutputDefinition;

function createNdjsonView(): AddingView<UnifiedEvent> {
  const milliseconds = createMillisecondsReader();
  const calls = createUnfinishedCalls();
  const errors = createHeldErrors();
  let started: EventOf<"started"> | undefined;
  let hasSession = false;
  let isOver = false;

  function sessionStart(event: HarnessEvent, next: UnifiedEvent | undefined): UnifiedEventOf<"SessionStart"> {
    const item: UnifiedEventOf<"SessionStart"> = {
      type: "SessionStart",
      timestamp_ms: next?.timestamp_ms ?? milliseconds(event.timestamp),
      session_id: event.sessionId ?? event.runId,
      agent: started?.agent ?? "unknown",
    };
    const session = event.type === "session" ? event : undefined;
    const cwd = session?.cwd || started?.cwd;
    if (session?.model !== undefined) item.model = session.model;
    if (cwd) item.cwd = cwd;
    return item;
  }

  function toItem(event: HarnessEvent): UnifiedEvent | undefined {
    switch (event.type) {
      case "text":
        return { type: "TextDelta", timestamp_ms: milliseconds(event.timestamp), text: event.delta };
      case "agent": {
        const role = event.role ?? "assistant";
        return { type: "Message", timestamp_ms: milliseconds(event.timestamp), role, text: event.message };
      }
      case "turn":
        if (event.prompt === undefined) return undefined;
        return {
          type: "Message",
          timestamp_ms: milliseconds(event.timestamp),
          role: "user",
          text: event.prompt,
        };
      case "tool_start":
        calls.started(event);
        return toToolStart(event, milliseconds(event.timestamp));
      case "tool_end":
        return toToolEnd(event, calls.isUnfinished(event), milliseconds(event.timestamp));
      case "error":
        return toError(event, milliseconds(event.timestamp));
      case "result":
        return toResult(event, milliseconds(event.timestamp));
      default:
        return undefined;
    }
  }

  function add(events: readonly HarnessEvent[], items: UnifiedEvent[]): void {
    for (const event of events) {
      if (isOver) break;
      if (event.type === "started") started = event;
      const item = toItem(event);
      if (hasSession && (item === undefined || errors.pass(item, event))) {
        if (item !== undefined) items.push(item);
        continue;
      }
      const found = item === undefined ? [] : errors.follow(item, event);
      if (!hasSession && (found.length > 0 || event.type === "session")) {
        items.push(sessionStart(event, found[0]));
        hasSession = true;
      }
      for (const item of found) items.push(item);
      isOver = event.type === "result";
    }
  }

  return createAddingView(add);
}
