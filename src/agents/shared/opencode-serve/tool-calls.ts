import { asObject, asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import type { OpenCall, Sink } from "../../contract.js";
import { finishCall, openCall, type ReadCall, readCall } from "../opencode-stream/calls.js";
import type { Dialect } from "../opencode-stream/dialect.js";
import { isCompacted } from "../opencode-stream/mapping.js";
import { emitSubagents, subagentsOf } from "../opencode-stream/subagents.js";
import type { Thread, Threads } from "./threads.js";

/** Tool calls, from the moment that their input is known. */
export interface ToolCalls {
  /** A tool part, in any state. */
  updated(part: JsonObject, thread: Thread, out: Sink): void;
  /** The call as far as it is known. */
  find(sessionId: string, callId: string | undefined): ReadCall | undefined;
  /** The turn has ended, and with it the calls that were open. */
  turnEnded(): void;
}

const isOver: ReadonlySet<string> = new Set(["completed", "error"]);

export function createToolCalls(dialect: Dialect, threads: Threads): ToolCalls {
  /** By the ids of their parts: the ids of calls are the model's, and may come twice. */
  const open = new Map<string, OpenCall>();
  const ended = new Set<string>();
  const known = new Map<string, ReadCall>();
  const subagents = new Set<string>();
  const hasStarted = (id: string | undefined): boolean => id !== undefined && subagents.has(id);

  /** A subagent is reported once its session is known, while its call is running. */
  function startSubagents(call: ReadCall, parentCallId: string | undefined, out: Sink): void {
    const news = subagentsOf(call, dialect.subagentTools).filter(
      ({ id }) => id !== undefined && !hasStarted(id),
    );
    for (const { id } of news) {
      if (id === undefined) continue;
      subagents.add(id);
      threads.started(id, call.callId);
    }
    emitSubagents(news, { ...call, isSuccess: undefined, parentCallId }, out);
  }

  return {
    updated(part, thread, out) {
      const state = asObject(part["state"]) ?? {};
      const status = asText(state["status"]) ?? "";
      const id = asText(part["id"]) ?? "";
      const call = readCall(part, { part }, dialect, id);
      if (call === undefined) return out.emit({ type: "unknown", raw: { part } });
      if (isCompacted(part))
        return out.consume("tool: an earlier call whose output the model no longer gets");
      if (status === "pending") return out.consume("tool: its input is not known yet");
      if (ended.has(id)) return out.consume("tool: it ended before, or with its turn");
      if (thread.isMain && out.live.turnId === undefined) return out.consume("tool: no turn is open");
      known.set(keyOf(thread.id, call.callId), call);
      const { parentCallId } = thread;
      const one = open.get(id) ?? openCall(call, dialect, out, parentCallId);
      open.set(id, one);
      if (!isOver.has(status)) {
        startSubagents(call, parentCallId, out);
        return out.consume("tool: it goes on");
      }
      open.delete(id);
      ended.add(id);
      const { refusal } = finishCall(one, call, dialect, out, { hasStarted });
      if (refusal !== undefined) thread.parts.refused(refusal, "call");
    },
    find: (sessionId, callId) => (callId === undefined ? undefined : known.get(keyOf(sessionId, callId))),
    turnEnded() {
      for (const id of open.keys()) ended.add(id);
      open.clear();
      known.clear();
    },
  };
}

function keyOf(sessionId: string, callId: string): string {
  return `${sessionId} ${callId}`;
}
