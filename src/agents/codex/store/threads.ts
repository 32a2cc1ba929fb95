import { asObject, asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import { createCodexThreads } from "../live/threads.js";
import type { Line } from "./lines.js";

/** Who a line belongs to. `parentCallId` is the call that has started a subagent. */
export interface LineSpeaker {
  threadId: string | undefined;
  parentCallId: string | undefined;
}

/** The threads of a stored session: its own, and those of subagents. */
export interface StoredThreads {
  /**
   * Lines name their thread, or their turn, which another line has with its thread. A turn that is the root of itself is one of the session.
   * Lines without either belong to the session.
   */
  speakerOf(line: Line): LineSpeaker;
  /** An item in the spelling of `exec`. */
  itemCompleted(item: JsonObject): void;
  /** A call of a tool: one that starts a subagent, perhaps. */
  called(payload: JsonObject): void;
  readonly hasSubagents: boolean;
}

export function createStoredThreads(): StoredThreads {
  const threads = createCodexThreads();
  const threadOfTurn = new Map<string, string>();
  let hasSubagents = false;

  function threadOf({ type, payload }: Line): string | undefined {
    const about = asObject(payload["internal_chat_message_metadata_passthrough"]);
    const turnId = asText(payload["turn_id"]) ?? asText(about?.["turn_id"]);
    const isRoot = turnId !== undefined && payload["root_turn_id"] === turnId;
    const own = type === "session_meta" ? asText(payload["id"]) : isRoot ? threads.current : undefined;
    const named = asText(payload["thread_id"]) ?? own;
    if (named !== undefined && turnId !== undefined) threadOfTurn.set(turnId, named);
    const unnamed = hasSubagents ? turnId : undefined;
    return named ?? threadOfTurn.get(turnId ?? "") ?? unnamed ?? threads.current;
  }

  return {
    speakerOf(line) {
      const threadId = threadOf(line);
      if (threads.current === undefined && threadId !== undefined) threads.opened(threadId);
      const speaker = threads.speakerOf(threadId);
      const parentCallId = speaker === "other" ? undefined : speaker.parentCallId;
      if (line.type === "session_meta" && parentCallId !== undefined) hasSubagents = true;
      return { threadId, parentCallId };
    },
    itemCompleted: threads.itemCompleted,
    called({ name = null, call_id: id = null }) {
      threads.itemStarted({ type: "collab_tool_call", tool: name, id });
    },
    get hasSubagents() {
      return hasSubagents;
    },
  };
}
