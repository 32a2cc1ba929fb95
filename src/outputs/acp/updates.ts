import type { EventOf, HarnessEvent } from "../../events/event.js";
import { createSpokenText } from "../../story/spoken-text.js";
import type { AcpToolContent, AcpUpdate } from "./schema.js";
import { describeToolCall, outputContent } from "./tool-calls.js";

export interface SessionUpdatesOptions {
  cwd: string;
  /** The client shows notices. */
  canNotice: boolean;
  /** Nobody has sent the prompts: a history is played back, or a recording is shown. They are shown too. */
  hasPrompts?: boolean;
}

/** The events of a session as ACP's updates. What has no place there gives none; docs/live.md lists it. */
export interface SessionUpdates {
  of(event: HarnessEvent): AcpUpdate[];
  /** The client's id of a call, for a request about it. */
  callIdOf(callId: string): string;
}

export function createSessionUpdates({
  cwd,
  canNotice,
  hasPrompts = false,
}: SessionUpdatesOptions): SessionUpdates {
  const spoken = createSpokenText();
  const calls = createCallIds();
  /** What a call changes: a client replaces the content of a call when it ends. */
  const changes = new Map<string, readonly AcpToolContent[]>();

  function begun(event: EventOf<"tool_start">): AcpUpdate[] {
    const toolCallId = calls.begin(event.callId);
    const described = describeToolCall(event, cwd);
    if (described.content.length > 0) changes.set(toolCallId, described.content);
    return [{ sessionUpdate: "tool_call", toolCallId, status: "in_progress", ...described }];
  }

  function ended({ callId, isSuccess, output }: EventOf<"tool_end">): AcpUpdate[] {
    const toolCallId = calls.of(callId);
    const changed = changes.get(toolCallId) ?? [];
    changes.delete(toolCallId);
    const returned = changed.length > 0 && isSuccess ? undefined : outputContent(output);
    const content = [...changed, ...(returned === undefined ? [] : [returned])];
    const status = isSuccess === true ? ("completed" as const) : ("failed" as const);
    return [
      {
        sessionUpdate: "tool_call_update",
        toolCallId,
        status,
        ...(content.length > 0 && { content }),
        ...(output !== undefined && typeof output !== "string" && { rawOutput: output }),
      },
    ];
  }

  const makers: { [T in HarnessEvent["type"]]?: (event: EventOf<T>) => AcpUpdate[] } = {
    text(event) {
      if (!isOwn(event)) return [];
      spoken.add(event);
      return chunk("agent_message_chunk", event.delta, event.messageId);
    },
    agent(event) {
      if (!isOwn(event)) return [];
      if (event.role === "system") return [];
      if (event.role === "user") return hasPrompts ? chunk("user_message_chunk", event.message) : [];
      return chunk("agent_message_chunk", spoken.rest(event), event.messageId);
    },
    thinking: (event) =>
      isOwn(event) ? chunk("agent_thought_chunk", event.delta ?? event.message ?? "") : [],
    turn: ({ prompt = "" }) => (hasPrompts ? chunk("user_message_chunk", prompt) : []),
    tool_start: begun,
    tool_end: ended,
    plan: (event) =>
      isOwn(event)
        ? [
            {
              sessionUpdate: "plan",
              entries: event.entries.map((entry) => ({ priority: "medium", ...entry })),
            },
          ]
        : [],
    warning: ({ message }) => (canNotice ? [notice("warning", message)] : []),
    error: ({ message }) => (canNotice ? [notice("error", message)] : []),
  };

  return {
    of: (event) => (makers[event.type] as ((event: HarnessEvent) => AcpUpdate[]) | undefined)?.(event) ?? [],
    callIdOf: calls.of,
  };
}

/** Words and plans of a subagent are not the agent's own. */
export function isOwn({ parentCallId }: HarnessEvent): boolean {
  return parentCallId === undefined;
}

/** A notice needs a title that can stand alone: the first line. */
function notice(severity: "warning" | "error", message: string): AcpUpdate {
  const [first = "", ...rest] = message.trim().split("\n");
  const title = first.trim() || severity;
  return { sessionUpdate: "notice", severity, title, ...(rest.length > 0 && { description: message }) };
}

export function chunk(
  sessionUpdate: "agent_message_chunk" | "agent_thought_chunk" | "user_message_chunk",
  text: string,
  messageId?: string,
): AcpUpdate[] {
  if (text === "") return [];
  return [{ sessionUpdate, content: { type: "text", text }, ...(messageId !== undefined && { messageId }) }];
}

/** An agent may use the same id again in a later turn. For a client every call has its own. */
function createCallIds(): { begin(callId: string): string; of(callId: string): string } {
  const counts = new Map<string, number>();
  const of = (callId: string): string => {
    const count = counts.get(callId) ?? 1;
    return count === 1 ? callId : `${callId}#${count}`;
  };
  return {
    of,
    begin(callId) {
      counts.set(callId, (counts.get(callId) ?? 0) + 1);
      return of(callId);
    },
  };
}
