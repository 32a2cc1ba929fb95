import { asArray, asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";

/** The thread that a record belongs to. */
export type Speaker =
  /** The thread of the session, or a subagent: `parentCallId` is the call that started it. */
  | { threadId: string; parentCallId: string | undefined }
  /** Another thread that the client has opened. */
  | "other";

/**
 * One process serves many threads, and every notification names one. Threads that the client did not open are those
 * of subagents. Their first records can come before the end of the call that started them.
 */
export interface Threads {
  /** The thread of the session. */
  readonly current: string | undefined;
  /** The client has opened a thread. The first one is that of the session. */
  opened(threadId: string): void;
  /** The session goes on in this thread. */
  follow(threadId: string): void;
  speakerOf(threadId: string | undefined): Speaker;
  /** An item in the spelling of `exec`: calls that start subagents name their threads. */
  itemStarted(item: JsonObject): void;
  itemCompleted(item: JsonObject): void;
}

export function createCodexThreads(): Threads {
  const opened = new Set<string>();
  /** The call that started each subagent. */
  const spawnedBy = new Map<string, string>();
  const openSpawns = new Set<string>();
  let current: string | undefined;

  function parentOf(threadId: string): string {
    const known = spawnedBy.get(threadId);
    if (known !== undefined) return known;
    const [spawn] = openSpawns;
    return openSpawns.size === 1 && spawn !== undefined ? spawn : threadId;
  }

  return {
    get current() {
      return current;
    },
    opened(threadId) {
      opened.add(threadId);
      current ??= threadId;
    },
    follow(threadId) {
      opened.add(threadId);
      current = threadId;
    },
    speakerOf(threadId) {
      current ??= threadId;
      if (threadId === undefined || threadId === current)
        return { threadId: current ?? "", parentCallId: undefined };
      return opened.has(threadId) ? "other" : { threadId, parentCallId: parentOf(threadId) };
    },
    itemStarted(item) {
      const callId = spawnIn(item);
      if (callId !== undefined) openSpawns.add(callId);
    },
    itemCompleted(item) {
      const callId = spawnIn(item);
      if (callId === undefined) return;
      openSpawns.delete(callId);
      for (const id of asArray(item["receiver_thread_ids"]) ?? [])
        if (typeof id === "string" && !spawnedBy.has(id)) spawnedBy.set(id, callId);
    },
  };
}

/** The id of a call that starts a subagent. */
function spawnIn(item: JsonObject): string | undefined {
  return item["type"] === "collab_tool_call" && item["tool"] === "spawn_agent"
    ? asText(item["id"])
    : undefined;
}
