import * as v from "valibot";
import { anyJson, anyJsonObject, text } from "../../events/event-parts.js";

/*
 * What `ag-ui` prints: events of AG-UI 1.0, as far as harness uses them. What the protocol has no field for is below
 * `metadata.harness`; what it has no event for is an activity or a `CUSTOM` event whose name begins with `harness.`.
 */

const optionalText = v.exactOptional(text);
const tokens = v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(0)));

/** Which fields it has depends on the event: docs/interop/ag-ui.md lists them. */
const anyObject = anyJsonObject;

const base = {
  /** Milliseconds since 1970. */
  timestamp: v.exactOptional(v.pipe(v.number(), v.integer())),
  metadata: v.exactOptional(v.strictObject({ harness: anyObject })),
};
const owned = { ...base, subagentRunId: optionalText };

/** Parts are inside the totals. */
export const AgUiUsage = v.strictObject({
  model: optionalText,
  inputTokens: tokens,
  outputTokens: tokens,
  totalTokens: tokens,
  reasoningTokens: tokens,
  cachedInputTokens: tokens,
  cacheWriteInputTokens: tokens,
});
export type AgUiUsage = v.InferOutput<typeof AgUiUsage>;

const ids = { threadId: text, runId: text };
const userMessage = v.strictObject({ id: text, role: v.literal("user"), content: text });

export const AgUiEvent = v.variant("type", [
  v.strictObject({
    type: v.literal("RUN_STARTED"),
    ...base,
    ...ids,
    protocolVersion: v.literal("1.0"),
    /** What was asked, if the format was given it. */
    input: v.exactOptional(
      v.strictObject({
        ...ids,
        messages: v.array(userMessage),
        tools: v.array(anyJson),
        context: v.array(anyJson),
      }),
    ),
  }),
  v.strictObject({
    type: v.literal("RUN_FINISHED"),
    ...base,
    ...ids,
    /** The value that fits the schema which the run was given, else the answer. */
    result: v.exactOptional(anyJson),
    outcome: v.strictObject({ type: v.picklist(["success", "cancelled"]) }),
    usage: v.exactOptional(v.array(AgUiUsage)),
  }),
  /** The run failed, or the stream stops before its end. `code` is the kind of the failure. */
  v.strictObject({
    type: v.literal("RUN_ERROR"),
    ...base,
    message: text,
    code: optionalText,
    usage: v.exactOptional(v.array(AgUiUsage)),
  }),
  v.strictObject({ type: v.literal("STEP_STARTED"), ...owned, stepName: text }),
  v.strictObject({ type: v.literal("STEP_FINISHED"), ...owned, stepName: text }),
  v.strictObject({
    type: v.literal("TEXT_MESSAGE_START"),
    ...owned,
    messageId: text,
    role: v.literal("assistant"),
  }),
  v.strictObject({ type: v.literal("TEXT_MESSAGE_CONTENT"), ...owned, messageId: text, delta: text }),
  v.strictObject({ type: v.literal("TEXT_MESSAGE_END"), ...owned, messageId: text }),
  v.strictObject({ type: v.literal("REASONING_START"), ...owned, messageId: text }),
  v.strictObject({
    type: v.literal("REASONING_MESSAGE_START"),
    ...owned,
    messageId: text,
    role: v.literal("reasoning"),
  }),
  v.strictObject({ type: v.literal("REASONING_MESSAGE_CONTENT"), ...owned, messageId: text, delta: text }),
  v.strictObject({ type: v.literal("REASONING_MESSAGE_END"), ...owned, messageId: text }),
  v.strictObject({ type: v.literal("REASONING_END"), ...owned, messageId: text }),
  v.strictObject({
    type: v.literal("TOOL_CALL_START"),
    ...owned,
    toolCallId: text,
    toolCallName: text,
  }),
  v.strictObject({ type: v.literal("TOOL_CALL_ARGS"), ...owned, toolCallId: text, delta: text }),
  v.strictObject({ type: v.literal("TOOL_CALL_END"), ...owned, toolCallId: text }),
  v.strictObject({
    type: v.literal("TOOL_CALL_RESULT"),
    ...owned,
    messageId: text,
    toolCallId: text,
    content: text,
    role: v.literal("tool"),
  }),
  v.strictObject({
    type: v.literal("SUBAGENT_STARTED"),
    ...base,
    subagentRunId: text,
    name: text,
    parentSubagentRunId: optionalText,
    parentToolCallId: optionalText,
  }),
  v.strictObject({
    type: v.literal("SUBAGENT_FINISHED"),
    ...base,
    subagentRunId: text,
    outcome: v.exactOptional(v.strictObject({ type: v.literal("success") })),
  }),
  v.strictObject({ type: v.literal("SUBAGENT_ERROR"), ...base, subagentRunId: text, message: text }),
  /** What was done to files and with commands, the to-do list, what changed. The same `messageId` replaces what was there. */
  v.strictObject({
    type: v.literal("ACTIVITY_SNAPSHOT"),
    ...owned,
    messageId: text,
    activityType: v.picklist([
      "harness.command",
      "harness.read",
      "harness.write",
      "harness.search",
      "harness.list",
      "harness.skill",
      "harness.plan",
      "harness.edits",
      "harness.changes",
    ]),
    content: anyObject,
    replace: v.literal(true),
  }),
  v.strictObject({
    type: v.literal("CUSTOM"),
    ...owned,
    name: v.picklist([
      "harness.session",
      "harness.message",
      "harness.orchestration",
      "harness.request",
      "harness.request_end",
      "harness.usage",
      "harness.warning",
      "harness.error",
    ]),
    value: anyObject,
  }),
  /** Output of the agent that no rule understands. `source` is the agent. */
  v.strictObject({ type: v.literal("RAW"), ...owned, event: anyJson, source: optionalText }),
]);
/** One event of AG-UI. */
export type AgUiEvent = v.InferOutput<typeof AgUiEvent>;
