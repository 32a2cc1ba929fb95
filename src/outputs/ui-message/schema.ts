import * as v from "valibot";
import { eventSchemas } from "../../events/event.js";
import { anyJson, costSource, costUsd, duration, text } from "../../events/event-parts.js";
import { ExitReason, Failure } from "../../events/failure.js";
import { PlannedOperation } from "../../events/live-event.js";

/*
 * What `ui-message` prints: chunks of the AI SDK's UI message stream (version 1 of the protocol), as far as harness uses them.
 * Everything that the protocol has no part for is a data part whose name begins with `data-harness-`.
 */

const optionalText = v.exactOptional(text);
const tokens = v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(0)));

/** The AI SDK's names for tokens. Totals include their details. */
export const UiMessageUsage = v.strictObject({
  inputTokens: tokens,
  inputTokenDetails: v.strictObject({
    noCacheTokens: tokens,
    cacheReadTokens: tokens,
    cacheWriteTokens: tokens,
  }),
  outputTokens: tokens,
  outputTokenDetails: v.strictObject({ textTokens: tokens, reasoningTokens: tokens }),
  totalTokens: tokens,
});

/** About the run. It grows: every chunk that has metadata adds to what came before. */
export const UiMessageMetadata = v.strictObject({
  runId: text,
  agent: optionalText,
  agentVersion: optionalText,
  cwd: optionalText,
  /** What the agent was asked, if the format was given it. */
  prompt: optionalText,
  /** The agent's own session id. */
  sessionId: optionalText,
  model: optionalText,
  startedAt: optionalText,
  endedAt: optionalText,
  usage: v.exactOptional(UiMessageUsage),
  costUsd,
  costSource,
  durationMs: v.exactOptional(duration),
  outcome: v.exactOptional(
    v.strictObject({
      isSuccess: v.boolean(),
      reason: ExitReason,
      exitCode: v.exactOptional(v.nullable(v.pipe(v.number(), v.integer()))),
      signal: optionalText,
      failure: v.exactOptional(Failure),
      /** The value that fits the schema which the run was given. */
      output: v.exactOptional(anyJson),
    }),
  ),
});
export type UiMessageMetadata = v.InferOutput<typeof UiMessageMetadata>;

const place = { toolCallId: optionalText, parentToolCallId: optionalText, turnId: optionalText };
const everywhere = [
  "type",
  "timestamp",
  "runId",
  "seq",
  "sessionId",
  "line",
  "parentCallId",
  "turnId",
] as const;
const ofCall = [...everywhere, "callId"] as const;
/** They keep their type, so that one component can show them all. */
const ofOperation = [
  "timestamp",
  "runId",
  "seq",
  "sessionId",
  "line",
  "parentCallId",
  "turnId",
  "callId",
] as const;

/** Absent only if the stream has the end of something whose beginning it lacks. */
const { kind, choices } = eventSchemas.request.entries;
const asked = { kind: v.exactOptional(kind), name: optionalText, choices: v.exactOptional(choices) };

/** The data parts by name, without `data-`. `UIMessage<UiMessageMetadata, UiMessageDataParts>` is the type of a message. */
export const uiMessageData = {
  "harness-command": v.strictObject({ ...v.omit(eventSchemas.command, ofOperation).entries, ...place }),
  "harness-read": v.strictObject({ ...v.omit(eventSchemas.read, ofOperation).entries, ...place }),
  "harness-write": v.strictObject({ ...v.omit(eventSchemas.write, ofOperation).entries, ...place }),
  "harness-search": v.strictObject({ ...v.omit(eventSchemas.search, ofOperation).entries, ...place }),
  "harness-list": v.strictObject({ ...v.omit(eventSchemas.list, ofOperation).entries, ...place }),
  "harness-skill": v.strictObject({ ...v.omit(eventSchemas.skill, ofOperation).entries, ...place }),
  /** A subagent began, and again when it ended. */
  "harness-subagent": v.strictObject({ ...v.omit(eventSchemas.orchestration, ofCall).entries, ...place }),
  /** Words that are not the main agent's: a subagent's, or those of a user or a system in the agent's own stream. */
  "harness-message": v.strictObject({
    role: v.picklist(["assistant", "user", "system"]),
    text,
    isThinking: v.exactOptional(v.literal(true)),
    messageId: optionalText,
    ...place,
  }),
  /** The whole to-do list. One part: a later list replaces it. */
  "harness-plan": v.strictObject({ ...v.omit(eventSchemas.plan, ofCall).entries, ...place }),
  "harness-edits": v.strictObject({ ...v.omit(eventSchemas.edits, everywhere).entries, ...place }),
  /** What has changed in the workspace since the start. One part: later changes replace it. */
  "harness-changes": v.strictObject({ ...v.omit(eventSchemas.changes, everywhere).entries, ...place }),
  /** One part for each turn of a live session: replaced when the turn ends. */
  "harness-turn": v.strictObject({
    ...v.omit(eventSchemas.turn, everywhere).entries,
    origin: v.exactOptional(eventSchemas.turn.entries.origin),
    ...place,
    turnId: text,
    end: v.exactOptional(v.strictObject(v.omit(eventSchemas.turn_end, everywhere).entries)),
  }),
  /** One part for each request: replaced when it is answered. */
  "harness-request": v.strictObject({
    ...v.omit(eventSchemas.request, ofCall).entries,
    ...asked,
    ...place,
    end: v.exactOptional(
      v.strictObject(v.omit(eventSchemas.request_end, [...everywhere, "requestId"]).entries),
    ),
  }),
  /** Transient: it is not part of the message. */
  "harness-usage": v.strictObject({ ...v.omit(eventSchemas.usage, everywhere).entries, ...place }),
  "harness-warning": v.strictObject({ ...v.omit(eventSchemas.warning, everywhere).entries, ...place }),
  "harness-error": v.strictObject({ ...v.omit(eventSchemas.error, everywhere).entries, ...place }),
  /** Transient: it is not part of the message. */
  "harness-unknown": v.strictObject({ ...v.omit(eventSchemas.unknown, everywhere).entries, ...place }),
} as const;

/** The data of each part, by name. */
export type UiMessageDataParts = {
  [Name in keyof typeof uiMessageData]: v.InferOutput<(typeof uiMessageData)[Name]>;
};

type DataSchemas = typeof uiMessageData;
type DataName = keyof DataSchemas;

/** `id`: a later part with the same name and id replaces this one. */
function dataPart<Name extends DataName>(name: Name) {
  return v.strictObject({
    type: v.literal(`data-${name}`),
    id: optionalText,
    data: uiMessageData[name],
    transient: v.exactOptional(v.literal(true)),
  });
}

const words = { id: text, delta: text };
/** What the protocol has no field for. */
const providerMetadata = v.exactOptional(
  v.strictObject({
    harness: v.strictObject({ messageId: optionalText, isWithdrawn: v.exactOptional(v.literal(true)) }),
  }),
);
const call = {
  toolCallId: text,
  /** The agent has run it, so no client may. */
  providerExecuted: v.literal(true),
  dynamic: v.literal(true),
};
const begun = {
  toolName: text,
  /** What the call is doing, in words. */
  title: optionalText,
  toolMetadata: v.exactOptional(
    v.strictObject({
      harness: v.strictObject({
        /** What the call is going to do. */
        operations: v.exactOptional(v.array(PlannedOperation)),
        parentToolCallId: optionalText,
        turnId: optionalText,
      }),
    }),
  ),
};

export const UiMessageChunk = v.variant("type", [
  v.strictObject({ type: v.literal("start"), messageId: text, messageMetadata: UiMessageMetadata }),
  v.strictObject({ type: v.literal("start-step") }),
  v.strictObject({ type: v.literal("finish-step") }),
  v.strictObject({ type: v.literal("text-start"), id: text, providerMetadata }),
  v.strictObject({ type: v.literal("text-delta"), ...words }),
  v.strictObject({ type: v.literal("text-end"), id: text, providerMetadata }),
  v.strictObject({ type: v.literal("reasoning-start"), id: text }),
  v.strictObject({ type: v.literal("reasoning-delta"), ...words }),
  v.strictObject({ type: v.literal("reasoning-end"), id: text }),
  v.strictObject({ type: v.literal("tool-input-start"), ...call, ...begun }),
  v.strictObject({ type: v.literal("tool-input-available"), ...call, ...begun, input: anyJson }),
  v.strictObject({ type: v.literal("tool-output-available"), ...call, output: anyJson }),
  v.strictObject({ type: v.literal("tool-output-error"), ...call, errorText: text }),
  dataPart("harness-command"),
  dataPart("harness-read"),
  dataPart("harness-write"),
  dataPart("harness-search"),
  dataPart("harness-list"),
  dataPart("harness-skill"),
  dataPart("harness-subagent"),
  dataPart("harness-message"),
  dataPart("harness-plan"),
  dataPart("harness-edits"),
  dataPart("harness-changes"),
  dataPart("harness-turn"),
  dataPart("harness-request"),
  dataPart("harness-usage"),
  dataPart("harness-warning"),
  dataPart("harness-error"),
  dataPart("harness-unknown"),
  v.strictObject({ type: v.literal("message-metadata"), messageMetadata: UiMessageMetadata }),
  /** The run failed. Readers may stop here, so everything but the end comes before it. */
  v.strictObject({ type: v.literal("error"), errorText: text }),
  /** The run was cancelled, or the stream stops before the run's end. The last chunk. */
  v.strictObject({ type: v.literal("abort"), reason: optionalText }),
  /** The run has ended. The last chunk. */
  v.strictObject({
    type: v.literal("finish"),
    finishReason: v.picklist(["stop", "length", "content-filter", "error"]),
  }),
]);
/** One chunk of the AI SDK's UI message stream. */
export type UiMessageChunk = v.InferOutput<typeof UiMessageChunk>;
