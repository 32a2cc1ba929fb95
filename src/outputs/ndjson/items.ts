import type { EventOf } from "../../events/event.js";
import { classifyFailure } from "../../events/failure-kind.js";
import { toJsonText } from "../../text/to-json.js";
import type { UnifiedEventOf } from "./schema.js";

export function toToolStart(event: EventOf<"tool_start">, timestamp_ms: number): UnifiedEventOf<"ToolStart"> {
  const { callId: call_id, name: tool_name, input } = event;
  const item: UnifiedEventOf<"ToolStart"> = { type: "ToolStart", timestamp_ms, call_id, tool_name };
  if (input !== undefined) item.input = toJsonText(input);
  return item;
}

/** The stream needs a `success` for every call. It is false only for a failure, and for a call that never ended. */
export function toToolEnd(
  event: EventOf<"tool_end">,
  isUnfinished: boolean,
  timestamp_ms: number,
): UnifiedEventOf<"ToolEnd"> {
  const { callId: call_id, isSuccess: success = !isUnfinished, output } = event;
  const item: UnifiedEventOf<"ToolEnd"> = { type: "ToolEnd", timestamp_ms, call_id, success };
  if (output !== undefined) item.output = toJsonText(output);
  return item;
}

export function toResult(event: EventOf<"result">, timestamp_ms: number): UnifiedEventOf<"Result"> {
  const item: UnifiedEventOf<"Result"> = { type: "Result", timestamp_ms, success: event.isSuccess };
  if (event.text !== undefined) item.text = event.text;
  if (event.durationMs !== undefined) item.duration_ms = event.durationMs;
  // The stream has no field to mark an estimate, and an unmarked one could be taken for a bill.
  if (event.costUsd !== undefined && event.costSource === undefined) item.total_cost_usd = event.costUsd;
  return item;
}

export function toError(event: EventOf<"error">, timestamp_ms: number): UnifiedEventOf<"Error"> {
  const { message } = event;
  return { type: "Error", timestamp_ms, message, code: event.code ?? classifyFailure({ text: message }) };
}
