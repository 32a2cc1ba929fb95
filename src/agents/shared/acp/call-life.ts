import { asObject, asText, firstText } from "../../../text/fields.js";
import type { JsonObject, JsonValue } from "../../../text/json.js";
import type { Finished, OpenCall, Operation, Sink } from "../../contract.js";
import { newCall } from "../call-shapes.js";
import { finishRunning } from "../finish-running.js";
import type { AcpAgent } from "./agent.js";
import { callOutput, hasFailedPart } from "./call-fields.js";
import { metaOf } from "./content.js";
import type { AcpDialect, CallFields } from "./dialect.js";
import { operationsByKind } from "./operations.js";
import type { AcpSpeech } from "./speech.js";

/** What is known of a call. */
export interface KnownCall {
  fields: CallFields;
  /** Set once the call has started. */
  call?: OpenCall;
  parentCallId?: string | undefined;
  /** Its first record. */
  native: JsonObject;
  isRefused?: true;
  hasEnded?: true;
}

/** How a call starts and ends, and the subagents that calls start. */
export interface CallLife {
  /** The call whose subagent a record belongs to. */
  parentOf(record: JsonObject, out: Sink): string | undefined;
  /** Starts the call, if it has not started. */
  start(state: KnownCall, out: Sink): OpenCall;
  /** `last`: the record that ends it. */
  finish(state: KnownCall, last: JsonObject, out: Sink): void;
  /** The call was refused, and no record says so. */
  refuse(state: KnownCall, out: Sink): void;
  operationsOf(name: string, fields: CallFields, cwd: string | undefined): Operation[];
  subagentAtWork(): string | undefined;
  endTurn(): void;
}

export function createCallLife(dialect: AcpDialect, agent: AcpAgent, speech: AcpSpeech): CallLife {
  /** Calls of subagents that have not ended, the newest last. */
  const subagents: OpenCall[] = [];

  function operationsOf(name: string, fields: CallFields, cwd: string | undefined): Operation[] {
    const own = dialect.operationsOf?.(name, fields, cwd) ?? [];
    return own.length > 0 ? own : operationsByKind(fields, agent.facts, cwd);
  }

  function start(state: KnownCall, out: Sink): OpenCall {
    if (state.call !== undefined) return state.call;
    const { fields, parentCallId, native } = state;
    const { callId } = fields;
    const name = nameOf(fields, dialect, agent);
    const input = fields.input ?? diffIn(fields.content);
    const operations = operationsOf(name, fields, out.cwd);
    const call = newCall({ callId, name, input, parentCallId, native, operations });
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

  function end(state: KnownCall, how: Finished, out: Sink): void {
    const call = start(state, out);
    state.hasEnded = true;
    speech.flush(out);
    const { fields } = state;
    // Later records may have completed the input.
    const operations = operationsOf(call.name, fields, out.cwd);
    if (operations.length > 0 && call.isSilent !== true) call.operations = operations;
    const statusDecides = agent.facts.failsByExitCode === true || fields.kind !== "execute";
    if (dialect.endCall === undefined) endByStatus(call, how, statusDecides, out);
    else dialect.endCall({ call, how, fields, version: agent.version }, out);
    const nameKeys = agent.subagentKeys(call.name);
    if (nameKeys === undefined) return;
    subagents.splice(subagents.indexOf(call), 1);
    const isSuccess = how.isSuccess !== false;
    const action = isSuccess ? "subagent_completed" : "subagent_failed";
    out.emit({ type: "orchestration", action, ...subagentOf(call, nameKeys), isSuccess });
  }

  return {
    parentOf(record, out) {
      const marked =
        asText(metaOf(record, "claudeCode")?.["parentToolUseId"]) ??
        asText(asObject(record["_meta"])?.["parentToolCallId"]);
      if (marked !== undefined) return marked;
      const isUnmarked = agent.facts.unmarked === "all" || metaOf(record, "github.com/copilot") !== undefined;
      const atWork = subagents.at(-1)?.callId;
      return isUnmarked && atWork !== undefined && out.call(atWork) !== undefined ? atWork : undefined;
    },
    start,
    finish: (state, last, out) => end(state, howOf(state.fields, last, agent), out),
    refuse: (state, out) => end(state, { isSuccess: false, native: state.native }, out),
    operationsOf,
    subagentAtWork: () => subagents.at(-1)?.callId,
    endTurn() {
      subagents.length = 0;
    },
  };
}

function howOf(fields: CallFields, native: JsonObject, { facts }: AcpAgent): Finished {
  const { exitCode, status } = fields;
  const isSuccess = status === "completed" && (exitCode ?? 0) === 0 && !hasFailedPart(fields);
  return { isSuccess, exitCode, output: callOutput(fields, native, facts), native };
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
