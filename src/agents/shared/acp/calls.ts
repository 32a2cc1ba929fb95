import { asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import type { OpenCall, Operation, Sink } from "../../contract.js";
import type { AcpAgent } from "./agent.js";
import { isReady, mergeFields } from "./call-fields.js";
import { createCallLife, type KnownCall } from "./call-life.js";
import type { AcpDialect, CallFields } from "./dialect.js";
import type { AcpSpeech } from "./speech.js";
import { metaOf } from "./wire.js";

/**
 * The tool calls of a session. Their records may come in any order: Cline sends `tool_call` last, Kilo after the question for
 * permission, Gemini CLI and Qwen Code not at all. So every record adds to what is known of its call, and the call
 * starts as soon as that is enough.
 */
export interface AcpCalls {
  /** `tool_call` and `tool_call_update`. */
  update(record: JsonObject, out: Sink): void;
  /** The call that the agent asks for. It starts if this is the first record of it. */
  asked(toolCall: JsonObject, out: Sink): AskedCall | undefined;
  /** It was refused. Some agents send nothing more about it. */
  refused(callId: string): void;
  /** The call of the subagent that is at work, for records without a mark. */
  subagentAtWork(): string | undefined;
  /** True if a call has returned in this turn, so that the model was asked again. */
  hasReturned(): boolean;
  beginTurn(): void;
  /** Starts what was still held, and ends what was refused. The rest is closed by the frame. */
  endTurn(out: Sink): void;
}

export interface AskedCall {
  call: OpenCall;
  /** The fields of the request itself, over those of the call. */
  fields: CallFields;
  operations: Operation[];
}

export function createAcpCalls(dialect: AcpDialect, agent: AcpAgent, speech: AcpSpeech): AcpCalls {
  const life = createCallLife(dialect, agent, speech);
  const known = new Map<string, KnownCall>();
  /** Ids of calls of earlier turns. */
  const past = new Set<string>();
  let hasReturned = false;

  function learn(record: JsonObject, callId: string, out: Sink): KnownCall {
    const before = known.get(callId);
    const parentCallId = before?.parentCallId ?? life.parentOf(record, out);
    const state: KnownCall = before ?? { fields: mergeFields(undefined, {}, callId), native: record };
    state.fields = mergeFields(before?.fields, record, callId);
    if (parentCallId !== callId) state.parentCallId = parentCallId;
    known.set(callId, state);
    return state;
  }

  return {
    update(record, out) {
      const callId = asText(record["toolCallId"]);
      if (callId === undefined) return;
      const isUpdate = record["sessionUpdate"] !== "tool_call";
      const hasEnded = known.get(callId)?.hasEnded ?? (isUpdate && past.has(callId));
      if (hasEnded) return out.consume("tool_call_update: the call has ended");
      if (isUpdate && !known.has(callId) && out.live.turnId === undefined)
        return out.consume("tool_call_update: after the turn");
      const state = learn(record, callId, out);
      out.consume("tool_call_update: progress");
      emitNotification(record, state, out);
      const { status } = state.fields;
      const isOver = status === "completed" || status === "failed";
      if (isOver) {
        life.finish(state, record, out);
        hasReturned ||= state.parentCallId === undefined;
      } else if (isReady(state.fields)) life.start(state, out);
    },
    asked(toolCall, out) {
      const callId = asText(toolCall["toolCallId"]);
      if (callId === undefined) return undefined;
      const before = known.get(callId);
      // The input of a request may differ from that of its call (Copilot, OpenCode), so it does not replace it.
      const fields = mergeFields(before?.fields, { ...toolCall, status: null }, callId);
      const state = before?.call === undefined ? learn(toolCall, callId, out) : before;
      const call = life.start(state, out);
      speech.flush(out);
      const own = life.operationsOf(call.name, fields, out.cwd);
      return { call, fields, operations: own.length > 0 ? own : (call.operations ?? []) };
    },
    refused(callId) {
      const state = known.get(callId);
      if (state !== undefined) state.isRefused = true;
    },
    subagentAtWork: life.subagentAtWork,
    hasReturned: () => hasReturned,
    beginTurn() {
      hasReturned = false;
    },
    endTurn(out) {
      for (const state of known.values()) {
        if (state.hasEnded) continue;
        life.start(state, out);
        if (state.isRefused) life.refuse(state, out);
      }
      for (const callId of known.keys()) past.add(callId);
      known.clear();
      life.endTurn();
    },
  };
}

/** What a call logs while it runs: the tools of a Goose subagent. The output of a command is repeated by its result. */
function emitNotification(record: JsonObject, { fields, call }: KnownCall, out: Sink): void {
  const notification = metaOf(record, "toolNotification");
  if (notification === undefined || notification["type"] === "live_output") return;
  out.emit({
    type: "unknown",
    parentCallId: call === undefined ? undefined : fields.callId,
    raw: notification,
  });
}
