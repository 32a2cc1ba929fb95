import type { EventOf } from "../../events/event.js";
import { toJson, toJsonText } from "../../text/to-json.js";
import type { CallNames } from "../call-names.js";
import { createUnfinishedCalls } from "../unfinished-calls.js";
import { limitedText, textPieces } from "./limits.js";
import type { AgUiEvent } from "./schema.js";

type Owner = { subagentRunId?: string };

/** Calls. `TOOL_CALL_END` says that the arguments are complete; the call itself ends with `TOOL_CALL_RESULT`. */
export interface ToolCalls {
  begin(event: EventOf<"tool_start">, owner: Owner): AgUiEvent[];
  end(event: EventOf<"tool_end">, owner: Owner): AgUiEvent[];
}

export function createToolCalls(names: CallNames, idOf: (kind: string, number: number) => string): ToolCalls {
  const unfinished = createUnfinishedCalls();
  const open = new Map<string, string>();
  let results = 0;

  function begin(event: EventOf<"tool_start">, owner: Owner): AgUiEvent[] {
    const { callId, name, input, operations, turnId } = event;
    const toolCallId = names.begin(callId);
    open.set(callId, toolCallId);
    unfinished.started(event);
    const about = {
      ...(operations !== undefined && { operations }),
      ...(turnId !== undefined && { turnId }),
    };
    return [
      {
        type: "TOOL_CALL_START",
        toolCallId,
        toolCallName: name,
        ...owner,
        ...(Object.keys(about).length > 0 && { metadata: { harness: about } }),
      },
      // Readers parse the arguments, so there are always some.
      ...textPieces(input === undefined ? "{}" : toJson(input)).map(
        (delta): AgUiEvent => ({ type: "TOOL_CALL_ARGS", toolCallId, delta, ...owner }),
      ),
      { type: "TOOL_CALL_END", toolCallId, ...owner },
    ];
  }

  function end(event: EventOf<"tool_end">, owner: Owner): AgUiEvent[] {
    const { callId, name, isSuccess, output } = event;
    const { isSuccess: _, output: __, ...start } = event;
    const before = open.has(callId) ? [] : begin({ ...start, type: "tool_start", name }, owner);
    const toolCallId = open.get(callId) ?? callId;
    open.delete(callId);
    results += 1;
    const isUnfinished = unfinished.isUnfinished(event);
    const about = { ...(isSuccess !== undefined && { isSuccess }), ...(isUnfinished && { isUnfinished }) };
    const words = isUnfinished ? "the run ended before this call did" : "";
    return [
      ...before,
      {
        type: "TOOL_CALL_RESULT",
        messageId: idOf("result", results),
        toolCallId,
        content: output === undefined ? words : limitedText(toJsonText(output)),
        role: "tool",
        ...owner,
        ...(Object.keys(about).length > 0 && { metadata: { harness: about } }),
      },
    ];
  }

  return { begin, end };
}
