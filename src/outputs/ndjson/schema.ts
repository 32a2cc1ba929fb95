import * as v from "valibot";

const text = v.string();
/** Milliseconds since the Unix epoch. */
const timestamp_ms = v.pipe(v.number(), v.integer());

/** Always the first item, once. */
const SessionStart = v.strictObject({
  type: v.literal("SessionStart"),
  timestamp_ms,
  /** The agent's own session id, or the run's id if the agent has not reported one. */
  session_id: text,
  agent: text,
  model: v.exactOptional(text),
  cwd: v.exactOptional(text),
});

/** A streamed piece of the answer; the whole follows as `Message`. */
const TextDelta = v.strictObject({ type: v.literal("TextDelta"), timestamp_ms, text });

const Message = v.strictObject({
  type: v.literal("Message"),
  timestamp_ms,
  role: v.picklist(["assistant", "user", "system"]),
  text,
});

/** `input` is text, or the JSON text of structured input. */
const ToolStart = v.strictObject({
  type: v.literal("ToolStart"),
  timestamp_ms,
  call_id: text,
  tool_name: text,
  input: v.exactOptional(text),
});

/** `success` is false for a failure and for a call that never ended. If nobody reported the outcome, it is true. */
const ToolEnd = v.strictObject({
  type: v.literal("ToolEnd"),
  timestamp_ms,
  call_id: text,
  success: v.boolean(),
  output: v.exactOptional(text),
});

/** Always the last item, once. */
const Result = v.strictObject({
  type: v.literal("Result"),
  timestamp_ms,
  success: v.boolean(),
  text: v.exactOptional(text),
  duration_ms: v.exactOptional(v.pipe(v.number(), v.minValue(0))),
  total_cost_usd: v.exactOptional(v.pipe(v.number(), v.minValue(0))),
});

/**
 * `code` is the agent's own code, else the kind of failure that the message speaks of. One error of a failed run has the kind of
 * the failure as its code: the one that the failure quotes, else the last one.
 */
const ErrorReport = v.strictObject({ type: v.literal("Error"), timestamp_ms, message: text, code: text });

/** An item of `--format ndjson`: the unified stream. */
export const UnifiedEvent = v.variant("type", [
  SessionStart,
  TextDelta,
  Message,
  ToolStart,
  ToolEnd,
  Result,
  ErrorReport,
]);
export type UnifiedEvent = v.InferOutput<typeof UnifiedEvent>;
export type UnifiedEventOf<T extends UnifiedEvent["type"]> = Extract<UnifiedEvent, { type: T }>;
