import * as v from "valibot";
import { SuggestedEdit } from "../../events/event.js";

const text = v.string();
const runId = text;
const tokenCount = v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(0)));

/** The process was spawned, before the agent has said anything. */
const Started = v.strictObject({ kind: v.literal("started"), runId });

/** The agent identified itself; again only when its model changes. */
const Session = v.strictObject({
  kind: v.literal("session"),
  runId,
  sessionId: v.exactOptional(text),
  model: v.exactOptional(text),
});

/** A piece of the answer, or all of it at once: append it. */
const Text = v.strictObject({ kind: v.literal("text"), runId, delta: text });

const Thinking = v.strictObject({ kind: v.literal("thinking"), runId, delta: text });

/** `input` is text, or the JSON text of structured input. */
const ToolStart = v.strictObject({
  kind: v.literal("toolStart"),
  runId,
  toolCallId: text,
  name: text,
  input: v.exactOptional(text),
});

/** `ok` is false for a failure and for a call that never ended. If nobody reported the outcome, it is true. */
const ToolEnd = v.strictObject({
  kind: v.literal("toolEnd"),
  runId,
  toolCallId: text,
  ok: v.boolean(),
  output: v.exactOptional(text),
});

const SuggestedEdits = v.strictObject({
  kind: v.literal("suggestedEdits"),
  runId,
  edits: v.array(SuggestedEdit),
});

/** A line for people about what is going on, at most 240 characters. Replaces the one before it. */
const Activity = v.strictObject({ kind: v.literal("activity"), runId, message: text });

/** The run's tokens. `inputTokens` is everything sent, cache reads and writes included. */
const Usage = v.strictObject({
  kind: v.literal("usage"),
  runId,
  inputTokens: tokenCount,
  outputTokens: tokenCount,
  totalTokens: tokenCount,
});

/** Why the run failed. At most once, right before `exited`. */
const ErrorReport = v.strictObject({ kind: v.literal("error"), runId, message: text });

/** The process is gone. Exactly once, last. */
const Exited = v.strictObject({
  kind: v.literal("exited"),
  runId,
  /** Null when it was killed. */
  exitCode: v.nullable(v.pipe(v.number(), v.integer())),
  cancelled: v.boolean(),
});

/** An item of `--format run-events`: what a user interface shows of a run. */
export const RunEvent = v.variant("kind", [
  Started,
  Session,
  Text,
  Thinking,
  ToolStart,
  ToolEnd,
  SuggestedEdits,
  Activity,
  Usage,
  ErrorReport,
  Exited,
]);
export type RunEvent = v.InferOutput<typeof RunEvent>;
export type RunEventOf<Kind extends RunEvent["kind"]> = Extract<RunEvent, { kind: Kind }>;
