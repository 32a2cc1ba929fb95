import * as v from "valibot";
import { anyJson, anyJsonObject, lineNumber, text } from "../../events/event-parts.js";
import { PlanEntry } from "../../events/live-event.js";

/*
 * What harness sends of the Agent Client Protocol (version 1): the lines of an agent. The protocol has more.
 */

/** What the protocol has no field for, under our name. */
const Meta = v.strictObject({ "harness-stream": anyJsonObject });
const _meta = v.exactOptional(Meta);

const TextBlock = v.strictObject({ type: v.literal("text"), text });

/** `diff`: the path is absolute. Without `oldText` the file is new, or its old content is not known. */
export const AcpToolContent = v.variant("type", [
  v.strictObject({ type: v.literal("content"), content: TextBlock }),
  v.strictObject({ type: v.literal("diff"), path: text, oldText: v.exactOptional(text), newText: text }),
]);
export type AcpToolContent = v.InferOutput<typeof AcpToolContent>;

export const AcpLocation = v.strictObject({ path: text, line: v.exactOptional(lineNumber) });
export type AcpLocation = v.InferOutput<typeof AcpLocation>;

export const AcpToolKind = v.picklist(["read", "edit", "search", "execute", "think", "fetch", "other"]);
export type AcpToolKind = v.InferOutput<typeof AcpToolKind>;

const status = v.picklist(["in_progress", "completed", "failed"]);

/** A piece of a message, or all of it. */
const Chunk = v.strictObject({
  sessionUpdate: v.picklist(["user_message_chunk", "agent_message_chunk", "agent_thought_chunk"]),
  content: TextBlock,
  messageId: v.exactOptional(text),
});

/** A call begins. */
const ToolCall = v.strictObject({
  sessionUpdate: v.literal("tool_call"),
  toolCallId: text,
  title: text,
  name: v.exactOptional(text),
  kind: AcpToolKind,
  status,
  content: v.array(AcpToolContent),
  locations: v.array(AcpLocation),
  rawInput: v.exactOptional(anyJson),
  _meta,
});

/** A call ends, or it becomes known what it did. Lists replace those before. */
const ToolCallUpdate = v.strictObject({
  sessionUpdate: v.literal("tool_call_update"),
  toolCallId: text,
  status: v.exactOptional(status),
  kind: v.exactOptional(AcpToolKind),
  content: v.exactOptional(v.array(AcpToolContent)),
  locations: v.exactOptional(v.array(AcpLocation)),
  rawOutput: v.exactOptional(anyJson),
  _meta,
});

const Plan = v.strictObject({
  sessionUpdate: v.literal("plan"),
  entries: v.array(v.strictObject({ ...PlanEntry.entries, priority: v.picklist(["high", "medium", "low"]) })),
});

const Notice = v.strictObject({
  sessionUpdate: v.literal("notice"),
  severity: v.picklist(["warning", "error"]),
  title: v.pipe(text, v.minLength(1)),
  description: v.exactOptional(text),
  _meta,
});

/** An event that the protocol has no update for. It is in `_meta`, and changes nothing for the client. */
const SessionInfo = v.strictObject({ sessionUpdate: v.literal("session_info_update"), _meta: Meta });

export const AcpUpdate = v.variant("sessionUpdate", [
  Chunk,
  ToolCall,
  ToolCallUpdate,
  Plan,
  Notice,
  SessionInfo,
]);
export type AcpUpdate = v.InferOutput<typeof AcpUpdate>;

export const AcpStopReason = v.picklist([
  "end_turn",
  "max_tokens",
  "max_turn_requests",
  "refusal",
  "cancelled",
]);
export type AcpStopReason = v.InferOutput<typeof AcpStopReason>;

const jsonrpc = v.literal("2.0");
const id = v.pipe(v.number(), v.integer(), v.minValue(1));

/** The answer to `session/new`: always the first item, once, with the id 1. */
const SessionOpened = v.strictObject({
  jsonrpc,
  id: v.literal(1),
  result: v.strictObject({ sessionId: text, _meta: Meta }),
});

/** The answer to `session/prompt`: the run, or one turn of a live session, has ended. */
const PromptAnswered = v.strictObject({
  jsonrpc,
  id,
  result: v.strictObject({ stopReason: AcpStopReason, _meta }),
});

/** The answer to `session/prompt` if it failed for a reason that is not a reason to stop. */
const PromptFailed = v.strictObject({
  jsonrpc,
  id,
  error: v.strictObject({
    code: v.pipe(v.number(), v.integer()),
    message: text,
    data: v.exactOptional(anyJson),
  }),
});

const Updated = v.strictObject({
  jsonrpc,
  method: v.literal("session/update"),
  params: v.strictObject({ sessionId: text, update: AcpUpdate }),
});

/** One line of `--format acp`: a message of JSON-RPC that an agent sends to its client. */
export const AcpMessage = v.union([Updated, SessionOpened, PromptAnswered, PromptFailed]);
export type AcpMessage = v.InferOutput<typeof AcpMessage>;
