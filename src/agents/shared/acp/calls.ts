import { asObject, asText, firstText } from "../../../text/fields.js";
import type { JsonObject, JsonValue } from "../../../text/json.js";
import type { Finished, OpenCall, Operation, Sink } from "../../contract.js";
import { finishRunning } from "../finish-running.js";
import type { AcpAgent } from "./agent.js";
import { hasFailedPart, isReady, mergeFields, outputOf } from "./call-fields.js";
import type { AcpDialect, CallFields } from "./dialect.js";
import { operationsByKind } from "./operations.js";
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

interface Known {
  fields: CallFields;
  call?: OpenCall;
  parentCallId?: string | undefined;
  native: JsonObject;
  isRefused?: true;
  hasEnded?: true;
}

export function createAcpCalls(dialect: AcpDialect, agent: AcpAgent, speech: AcpSpeech): AcpCalls {
  const known = new Map<string, Known>();
  /** Ids of calls of earlier turns. */
  const past = new Set<string>();
  /** Calls of subagents that have not ended, the newest last. */
  const subagents: OpenCall[] = [];
  let hasReturned = false;

  function parentOf(record: JsonObject, out: Sink): string | undefined {
    const marked =
      asText(metaOf(record, "claudeCode")?.["parentToolUseId"]) ??
      asText(asObject(record["_meta"])?.["parentToolCallId"]);
    if (marked !== undefined) return marked;
    const isUnmarked = agent.facts.unmarked === "all" || metaOf(record, "github.com/copilot") !== undefined;
    const atWork = subagents.at(-1)?.callId;
    return isUnmarked && atWork !== undefined && out.call(atWork) !== undefined ? atWork : undefined;
  }

  function learn(record: JsonObject, callId: string, out: Sink): Known {
    const before = known.get(callId);
    const parentCallId = before?.parentCallId ?? parentOf(record, out);
    const state: Known = before ?? { fields: mergeFields(undefined, {}, callId), native: record };
    state.fields = mergeFields(before?.fields, record, callId);
    if (parentCallId !== callId) state.parentCallId = parentCallId;
    known.set(callId, state);
    return state;
  }

  function start(state: Known, out: Sink): OpenCall {
    if (state.call !== undefined) return state.call;
    const { fields, parentCallId, native } = state;
    const name = nameOf(fields, dialect, agent);
    const call: OpenCall = {
      callId: fields.callId,
      name,
      input: fields.input ?? diffIn(fields.content),
      parentCallId,
      operations: operationsOf(name, fields, out.cwd),
      native,
    };
    state.call = call;
    speech.flush(out);
    const nameKeys = agent.subagentKeys(name);
    call.isSilent = nameKeys !== undefined || dialect.isSilent?.(name) === true;
    out.open(call);
    if (nameKeys === undefined) return call;
    subagents.push(call);
    out.emit({ type: "orchestration", action: "subagent_started", ...subagentOf(call, nameKeys) });
    return call;
  }

  function operationsOf(name: string, fields: CallFields, cwd: string | undefined): Operation[] {
    const own = dialect.operationsOf?.(name, fields, cwd) ?? [];
    return own.length > 0 ? own : operationsByKind(fields, agent.facts, cwd);
  }

  function finish(state: Known, how: Finished, out: Sink): void {
    const call = start(state, out);
    state.hasEnded = true;
    hasReturned ||= call.parentCallId === undefined;
    speech.flush(out);
    const { fields } = state;
    // Later records may have completed the input.
    const operations = operationsOf(call.name, fields, out.cwd);
    if (operations.length > 0 && call.isSilent !== true) call.operations = operations;
    if (dialect.endCall === undefined)
      endByStatus(call, how, agent.facts.failsByExitCode === true || fields.kind !== "execute", out);
    else dialect.endCall({ call, how, fields, version: agent.version }, out);
    afterEnd(call, how, out);
  }

  function afterEnd(call: OpenCall, how: Finished, out: Sink): void {
    const nameKeys = agent.subagentKeys(call.name);
    if (nameKeys === undefined) return;
    subagents.splice(subagents.indexOf(call), 1);
    const action = how.isSuccess === false ? "subagent_failed" : "subagent_completed";
    out.emit({
      type: "orchestration",
      action,
      ...subagentOf(call, nameKeys),
      isSuccess: how.isSuccess !== false,
    });
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
      if (isOver) finish(state, howOf(state.fields, record, agent), out);
      else if (isReady(state.fields)) start(state, out);
    },
    asked(toolCall, out) {
      const callId = asText(toolCall["toolCallId"]);
      if (callId === undefined) return undefined;
      const before = known.get(callId);
      // The input of a request may differ from that of its call (Copilot, OpenCode), so it does not replace it.
      const fields = mergeFields(before?.fields, { ...toolCall, status: null }, callId);
      const state = before?.call === undefined ? learn(toolCall, callId, out) : before;
      const call = start(state, out);
      speech.flush(out);
      const own = operationsOf(call.name, fields, out.cwd);
      return { call, fields, operations: own.length > 0 ? own : (call.operations ?? []) };
    },
    refused(callId) {
      const state = known.get(callId);
      if (state !== undefined) state.isRefused = true;
    },
    subagentAtWork: () => subagents.at(-1)?.callId,
    hasReturned: () => hasReturned,
    beginTurn() {
      hasReturned = false;
    },
    endTurn(out) {
      for (const state of known.values()) {
        if (state.hasEnded) continue;
        start(state, out);
        if (state.isRefused) finish(state, { isSuccess: false, native: state.native }, out);
      }
      for (const callId of known.keys()) past.add(callId);
      known.clear();
      subagents.length = 0;
    },
  };
}

function howOf(fields: CallFields, native: JsonObject, { facts }: AcpAgent): Finished {
  const { exitCode, status } = fields;
  const isSuccess = status === "completed" && (exitCode ?? 0) === 0 && !hasFailedPart(fields);
  return { isSuccess, exitCode, output: outputOf(fields, native, facts), native };
}

/** A command without an exit code has no outcome, unless the agent's status says it. */
function endByStatus(call: OpenCall, how: Finished, statusDecides: boolean, out: Sink): void {
  if (how.isSuccess !== true || how.exitCode !== undefined || statusDecides) out.finish(call, how);
  else finishRunning(call, how, out);
}

function nameOf(fields: CallFields, dialect: AcpDialect, { facts }: AcpAgent): string {
  const { toolName, title, firstTitle, kind } = fields;
  const own = dialect.nameOf?.(fields) ?? toolName;
  if (own !== undefined) return own;
  const isOther = kind === undefined || kind === "other";
  if (facts.titleIsName === "prefix") return /^([\w-]+):/.exec(title ?? "")?.[1] ?? kind ?? "tool";
  if (facts.titleIsName === true && /^[\w-]+$/.test(firstTitle ?? "")) return firstTitle ?? "tool";
  return isOther ? (title ?? "tool") : kind;
}

/** Without an input, the first diff says what an edit changes. */
function diffIn(content: readonly JsonValue[]): JsonObject | undefined {
  const diff = content.map(asObject).find((part) => part?.["type"] === "diff");
  if (diff === undefined) return undefined;
  const { path = null, oldText = null, newText = null } = diff;
  return { path, oldText, newText };
}

function subagentOf({ callId, parentCallId, input }: OpenCall, nameKeys: readonly string[]) {
  return { callId, parentCallId, subagentName: firstText(asObject(input) ?? {}, nameKeys) };
}

/** What a call logs while it runs: the tools of a Goose subagent. The output of a command is repeated by its result. */
function emitNotification(record: JsonObject, { fields, call }: Known, out: Sink): void {
  const notification = metaOf(record, "toolNotification");
  if (notification === undefined || notification["type"] === "live_output") return;
  out.emit({
    type: "unknown",
    parentCallId: call === undefined ? undefined : fields.callId,
    raw: notification,
  });
}
