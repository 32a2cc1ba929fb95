import { asFlag, asNumber, asObject, asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import type { Mapping, Sink } from "../../contract.js";
import type { Thread } from "../opencode-serve/threads.js";
import { finishCall, openCall, readCall } from "../opencode-stream/calls.js";
import type { Dialect } from "../opencode-stream/dialect.js";
import { readError } from "../opencode-stream/error-record.js";
import { subagentsOf } from "../opencode-stream/subagents.js";
import { wholeList } from "../todos.js";
import { readStoredRow } from "./lines.js";
import {
  beginTurn,
  createStoreState,
  endTurn,
  fail,
  finishSubagents,
  type StoreState,
  tick,
} from "./state.js";

/**
 * The rows of a session (1.18.33). A message of the user begins a turn with its text. A row is what it was in the end, so a message of the model
 * says by its `error` that it failed or was aborted, before its parts follow.
 */
export function createOpencodeStoreMapping(dialect: Dialect): Mapping {
  const state = createStoreState(dialect);
  return {
    record(record, out) {
      const { kind, data } = readStoredRow(record);
      if (kind === undefined) return;
      tick(state.clock, kind, data);
      rows[kind]?.(state, data, out);
    },
    flush: (out) => endTurn(state, out, { isLast: true }),
    todoTools: { todowrite: wholeList },
  };
}

type HandleRow = (state: StoreState, data: JsonObject, out: Sink) => void;

const rows: Readonly<Record<string, HandleRow>> = {
  session({ threads, session }, data, out) {
    const id = asText(data["id"]) ?? "";
    out.consume("session");
    if (threads.main !== undefined) return threads.described(data);
    threads.setMain(id);
    out.identify(id);
    session.cwd = asText(data["directory"]);
  },
  message(state, data, out) {
    const thread = state.threads.find(asText(data["sessionID"]));
    if (thread === undefined) return out.consume("message: of another session");
    if (data["role"] !== "user") return answered(state, data, thread, out);
    const id = asText(data["id"]) ?? "";
    state.ofUser.add(id);
    if (thread.isMain) state.prompts.add(id);
    out.consume("message: of the user");
  },
  part(state, data, out) {
    const thread = state.threads.find(asText(data["sessionID"]));
    if (thread === undefined) return out.consume("part: of another session");
    const messageId = asText(data["messageID"]) ?? "";
    if (state.ofUser.has(messageId)) return asked(state, data, messageId, out);
    const type = asText(data["type"]) ?? "";
    if (thread.isMain && type !== "tool") finishSubagents(state, out);
    if (Object.hasOwn(parts, type)) parts[type]?.(state, thread, data, out);
  },
};

/** A part of a prompt. The first text begins the turn, unless the agent's own program has written it. */
function asked(state: StoreState, part: JsonObject, messageId: string, out: Sink): void {
  const type = asText(part["type"]) ?? "";
  const text = type === "text" && asFlag(part["synthetic"]) !== true ? asText(part["text"]) : undefined;
  const isPrompt = text !== undefined && state.prompts.delete(messageId);
  if (isPrompt) beginTurn(state, text, out);
  out.consume(isPrompt ? "a prompt" : `${type}: of a prompt`);
}

function answered(state: StoreState, info: JsonObject, thread: Thread, out: Sink): void {
  const error = asObject(info["error"]);
  const code = error === undefined ? undefined : readError({ error })?.code;
  if (thread.isMain) {
    finishSubagents(state, out);
    if (out.live.turnId === undefined) beginTurn(state, undefined, out);
  }
  fail(state, thread.id, out);
  out.consume("message: of the model");
  if (!thread.isMain) {
    if (error !== undefined) state.errors.set(thread.id, { thread, error });
    return;
  }
  state.session.model = modelOf(info) ?? state.session.model;
  out.session(state.session);
  state.isComplete = asNumber(asObject(info["time"])?.["completed"]) !== undefined;
  state.isAborted = code === "MessageAbortedError";
  if (error !== undefined && !state.isAborted) state.errors.set(thread.id, { thread, error });
}

function modelOf({ providerID, modelID }: JsonObject): string | undefined {
  const model = asText(modelID);
  const provider = asText(providerID);
  return model === undefined || provider === undefined ? model : `${provider}/${model}`;
}

type HandlePart = (state: StoreState, thread: Thread, part: JsonObject, out: Sink) => void;

const parts: Readonly<Record<string, HandlePart>> = {
  "step-start": (_state, thread, part, out) => thread.parts.stepStart(part, { part }, out),
  text: (_state, thread, part, out) => thread.parts.text(part, { part }, out),
  reasoning: (_state, thread, part, out) => thread.parts.reasoning(part, { part }, out),
  "step-finish": (_state, thread, part, out) => thread.parts.stepFinish(part, { part }, out),
  tool: called,
  ...Object.fromEntries(
    ["agent", "compaction", "file", "patch", "retry", "snapshot", "subtask"].map(
      (type): [string, HandlePart] => [type, (_state, _thread, _part, out) => out.consume(type)],
    ),
  ),
};

/** A call in its last state. One that has started a subagent ends after the rows of the subagent. */
function called(state: StoreState, thread: Thread, part: JsonObject, out: Sink): void {
  const { dialect, threads, held } = state;
  const call = readCall(part, { part }, dialect, asText(part["id"]) ?? "");
  if (call === undefined) return out.emit({ type: "unknown", raw: { part } });
  if (thread.isMain && out.live.turnId === undefined) beginTurn(state, undefined, out);
  const { parentCallId } = thread;
  const open = openCall(call, dialect, out, parentCallId);
  if (call.isSuccess === undefined) return out.consume("tool: it was not over");
  const [subagent] = subagentsOf(call, dialect.subagentTools);
  if (subagent?.id === undefined) {
    const { refusal } = finishCall(open, call, dialect, out);
    if (refusal !== undefined) thread.parts.refused(refusal, "call");
    return;
  }
  threads.started(subagent.id, call.callId);
  const { id: subagentId, name: subagentName } = subagent;
  const { callId } = call;
  out.emit({
    type: "orchestration",
    action: "subagent_started",
    subagentId,
    subagentName,
    callId,
    parentCallId,
  });
  held.set(asText(part["id"]) ?? callId, { open, call });
}
