import type { EventOf, HarnessEvent } from "../../events/event.js";
import { describeOperation } from "../../story/describe-operation.js";
import { toOneLine } from "../../text/cut.js";
import { toJsonText } from "../../text/to-json.js";
import type { RunEvent, RunEventOf } from "./schema.js";

/**
 * The item of an event that does not depend on what came before it. Undefined for events that the format itself tracks, and for
 * those that have no words or numbers to show.
 */
export function toItem(event: HarnessEvent, cwd: string | undefined): RunEvent | undefined {
  const { runId } = event;
  switch (event.type) {
    case "started":
      return { kind: "started", runId };
    case "session":
      return toSession(event);
    case "thinking": {
      const delta = event.delta ?? event.message;
      return delta ? { kind: "thinking", runId, delta } : undefined;
    }
    case "usage":
      return event.scope === "run" ? toUsage(event) : undefined;
    case "command":
    case "read":
    case "write":
    case "search":
    case "list":
    case "skill":
    case "orchestration":
      return { kind: "activity", runId, message: describeOperation(event, cwd) };
    case "warning":
    case "error":
      return toActivity(runId, event.message);
    case "unknown":
      return typeof event.raw === "string" ? toActivity(runId, event.raw) : undefined;
    default:
      return undefined;
  }
}

/** Nothing when the text is blank. */
export function toActivity(runId: string, text: string): RunEventOf<"activity"> | undefined {
  const message = toOneLine(text);
  return message.trim() === "" ? undefined : { kind: "activity", runId, message };
}

export function toExited(event: EventOf<"exited">): RunEventOf<"exited"> {
  const { runId, exitCode, reason } = event;
  return { kind: "exited", runId, exitCode, cancelled: reason === "cancelled" };
}

function toSession(event: EventOf<"session">): RunEventOf<"session"> {
  const item: RunEventOf<"session"> = { kind: "session", runId: event.runId };
  if (event.sessionId !== undefined) item.sessionId = event.sessionId;
  if (event.model !== undefined) item.model = event.model;
  return item;
}

export function toToolStart(event: EventOf<"tool_start">): RunEventOf<"toolStart"> {
  const { runId, callId: toolCallId, name, input } = event;
  const item: RunEventOf<"toolStart"> = { kind: "toolStart", runId, toolCallId, name };
  if (input !== undefined) item.input = toJsonText(input);
  return item;
}

/** `ok` is false only for a failure, and for a call that never ended. */
export function toToolEnd(event: EventOf<"tool_end">, isUnfinished: boolean): RunEventOf<"toolEnd"> {
  const { runId, callId: toolCallId, isSuccess: ok = !isUnfinished, output } = event;
  const item: RunEventOf<"toolEnd"> = { kind: "toolEnd", runId, toolCallId, ok };
  if (output !== undefined) item.output = toJsonText(output);
  return item;
}

/** The edits, and how many there are in words. Nothing when there are none. */
export function toSuggestedEdits({ runId, edits }: EventOf<"edits">): RunEvent[] {
  if (edits.length === 0) return [];
  const message = `${edits.length} suggested ${edits.length === 1 ? "edit" : "edits"}`;
  return [
    { kind: "suggestedEdits", runId, edits },
    { kind: "activity", runId, message },
  ];
}

/** Nothing when no token was counted (some agents only know the cost). */
function toUsage(event: EventOf<"usage">): RunEventOf<"usage"> | undefined {
  const { runId, outputTokens, totalTokens } = event;
  const inputTokens = sentTokens(event);
  if (inputTokens === undefined && outputTokens === undefined && totalTokens === undefined) return undefined;
  const item: RunEventOf<"usage"> = { kind: "usage", runId };
  if (inputTokens !== undefined) item.inputTokens = inputTokens;
  if (outputTokens !== undefined) item.outputTokens = outputTokens;
  if (totalTokens !== undefined) item.totalTokens = totalTokens;
  return item;
}

/** Everything sent to the model, cached or not; undefined when the agent reports none of it. */
function sentTokens(event: EventOf<"usage">): number | undefined {
  const { inputTokens, cacheReadTokens, cacheWriteTokens } = event;
  if ((inputTokens ?? cacheReadTokens ?? cacheWriteTokens) === undefined) return undefined;
  return (inputTokens ?? 0) + (cacheReadTokens ?? 0) + (cacheWriteTokens ?? 0);
}
