import * as v from "valibot";
import { anyJson, anyJsonObject, text } from "../../events/event-parts.js";

/*
 * What harness prints of Claude Code's `--output-format stream-json`. Claude Code itself prints more.
 */

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const milliseconds = v.pipe(v.number(), v.minValue(0));

/** On every record. `harness-stream` has what Claude Code's stream has no field for. */
const common = {
  session_id: text,
  /** Made from the run's id and the record's number. */
  uuid: text,
  timestamp: text,
  "harness-stream": v.exactOptional(anyJsonObject),
};

/** The call that started the subagent whose record this is; null for the main agent. */
const parent_tool_use_id = v.nullable(text);

/** Always the first record, once. */
const Init = v.strictObject({
  type: v.literal("system"),
  subtype: v.literal("init"),
  cwd: text,
  model: text,
  tools: v.array(text),
  mcp_servers: v.array(anyJson),
  slash_commands: v.array(text),
  permissionMode: text,
  apiKeySource: text,
  output_style: text,
  claude_code_version: text,
  ...common,
});

/** A subagent starts. */
const TaskStarted = v.strictObject({
  type: v.literal("system"),
  subtype: v.literal("task_started"),
  task_id: text,
  task_type: v.literal("local_agent"),
  tool_use_id: v.exactOptional(text),
  parent_task_id: v.exactOptional(text),
  subagent_type: v.exactOptional(text),
  description: text,
  is_backgrounded: v.literal(false),
  ...common,
});

/** A subagent ends. */
const TaskNotification = v.strictObject({
  type: v.literal("system"),
  subtype: v.literal("task_notification"),
  task_id: text,
  tool_use_id: v.exactOptional(text),
  status: v.picklist(["completed", "failed"]),
  output_file: text,
  summary: text,
  ...common,
});

/** An event that Claude Code has no record for. Its readers pass over it. */
const EventRecord = v.strictObject({
  type: v.literal("system"),
  subtype: v.literal("harness_event"),
  ...common,
});

const Usage = v.strictObject({
  input_tokens: v.exactOptional(count),
  cache_creation_input_tokens: v.exactOptional(count),
  cache_read_input_tokens: v.exactOptional(count),
  output_tokens: v.exactOptional(count),
  output_tokens_details: v.exactOptional(v.strictObject({ thinking_tokens: count })),
});

const Block = v.variant("type", [
  v.strictObject({ type: v.literal("text"), text }),
  v.strictObject({ type: v.literal("thinking"), thinking: text, signature: text }),
  v.strictObject({ type: v.literal("tool_use"), id: text, name: text, input: anyJson }),
]);
export type ClaudeBlock = v.InferOutput<typeof Block>;

const Message = v.strictObject({
  id: text,
  type: v.literal("message"),
  role: v.literal("assistant"),
  model: text,
  content: v.array(Block),
  stop_reason: v.null(),
  stop_sequence: v.null(),
  /** On whole blocks, where readers expect it: the tokens of the message are not known yet, so both are 0. */
  usage: v.exactOptional(v.strictObject({ input_tokens: count, output_tokens: count })),
});

/** A block of a message: text, thinking or a tool call. */
const Assistant = v.strictObject({
  type: v.literal("assistant"),
  message: Message,
  parent_tool_use_id,
  ...common,
});

const UserBlock = v.variant("type", [
  v.strictObject({ type: v.literal("text"), text }),
  v.strictObject({
    type: v.literal("tool_result"),
    tool_use_id: text,
    content: v.exactOptional(v.union([text, v.array(anyJson)])),
    is_error: v.boolean(),
  }),
]);

/** The result of a call, a prompt (`isReplay`), or what a subagent was given. */
const User = v.strictObject({
  type: v.literal("user"),
  message: v.strictObject({ role: v.literal("user"), content: v.union([text, v.array(UserBlock)]) }),
  parent_tool_use_id,
  isReplay: v.exactOptional(v.literal(true)),
  isSynthetic: v.exactOptional(v.literal(true)),
  tool_use_result: v.exactOptional(anyJsonObject),
  ...common,
});

const index = count;

/** An event of the Anthropic API: a message as it is streamed. */
const StreamEvent = v.strictObject({
  type: v.literal("stream_event"),
  event: v.variant("type", [
    v.strictObject({ type: v.literal("message_start"), message: Message }),
    v.strictObject({
      type: v.literal("content_block_start"),
      index,
      content_block: v.variant("type", [
        v.strictObject({ type: v.literal("text"), text }),
        v.strictObject({ type: v.literal("thinking"), thinking: text, signature: text }),
      ]),
    }),
    v.strictObject({
      type: v.literal("content_block_delta"),
      index,
      delta: v.variant("type", [
        v.strictObject({ type: v.literal("text_delta"), text }),
        v.strictObject({ type: v.literal("thinking_delta"), thinking: text }),
      ]),
    }),
    v.strictObject({ type: v.literal("content_block_stop"), index }),
    v.strictObject({
      type: v.literal("message_delta"),
      delta: v.strictObject({ stop_reason: v.null(), stop_sequence: v.null() }),
      usage: Usage,
    }),
    v.strictObject({ type: v.literal("message_stop") }),
  ]),
  parent_tool_use_id,
  ...common,
});

/** The tokens and the cost of one model. */
export interface ClaudeModelUsage {
  inputTokens?: number;
  outputTokens?: number;
  cacheReadInputTokens?: number;
  cacheCreationInputTokens?: number;
  thinkingTokens?: number;
  costUSD?: number;
}

/** The end of the run, or of a turn of a live session. `is_error` decides, not `subtype`. */
const Result = v.strictObject({
  type: v.literal("result"),
  subtype: v.picklist([
    "success",
    "error_during_execution",
    "error_max_turns",
    "error_max_budget_usd",
    "error_max_structured_output_retries",
  ]),
  is_error: v.boolean(),
  duration_ms: milliseconds,
  duration_api_ms: milliseconds,
  num_turns: count,
  result: v.exactOptional(text),
  errors: v.exactOptional(v.array(text)),
  structured_output: v.exactOptional(anyJson),
  stop_reason: v.nullable(text),
  terminal_reason: v.exactOptional(text),
  api_error_status: v.exactOptional(count),
  total_cost_usd: v.exactOptional(v.number()),
  usage: v.exactOptional(Usage),
  modelUsage: v.exactOptional(v.custom<Record<string, ClaudeModelUsage>>((value) => value !== undefined)),
  permission_denials: v.array(v.strictObject({ tool_name: text, tool_use_id: text, tool_input: anyJson })),
  ...common,
});

/** One line of `--format claude`. */
export const ClaudeRecord = v.union([
  Assistant,
  User,
  StreamEvent,
  Init,
  TaskStarted,
  TaskNotification,
  EventRecord,
  Result,
]);
export type ClaudeRecord = v.InferOutput<typeof ClaudeRecord>;
export type ClaudeUsage = v.InferOutput<typeof Usage>;
export type ClaudeStreamEvent = v.InferOutput<typeof StreamEvent>["event"];
export type ClaudeResult = v.InferOutput<typeof Result>;

/** A record without what every record has. */
export type ClaudeDraft = ClaudeRecord extends infer Each
  ? Each extends ClaudeRecord
    ? Omit<Each, "session_id" | "uuid" | "timestamp">
    : never
  : never;
