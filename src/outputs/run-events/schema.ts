import * as v from "valibot";
import { eventSchemas, SuggestedEdit } from "../../events/event.js";
import { PlanEntry, Question, RequestChoice, TurnReason } from "../../events/live-event.js";

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

/** In a live session: a turn began. What follows, up to `turnEnded`, belongs to it. */
const TurnStarted = v.strictObject({
  kind: v.literal("turnStarted"),
  runId,
  turnId: text,
  origin: eventSchemas.turn.entries.origin,
  prompt: v.exactOptional(text),
});

const TurnEnded = v.strictObject({
  kind: v.literal("turnEnded"),
  runId,
  turnId: text,
  ok: v.boolean(),
  reason: TurnReason,
  /** Why the turn failed. */
  message: v.exactOptional(text),
  durationMs: v.exactOptional(v.pipe(v.number(), v.minValue(0))),
});

/** The agent waits for an answer. `questionEnded` with the same id follows. */
const AskQuestion = v.strictObject({
  kind: v.literal("askQuestion"),
  runId,
  requestId: text,
  requestKind: eventSchemas.request.entries.kind,
  toolCallId: v.exactOptional(text),
  /** The tool that would be used, or who asks. */
  name: text,
  /** The question as one line for people, at most 240 characters. */
  title: text,
  /** The agent's own words: why it asks, the plan, the message of a form. */
  message: v.exactOptional(text),
  /** What would be done, each as one line: `run npm test`. */
  operations: v.exactOptional(v.array(text)),
  /** Text, or the JSON text of structured input. */
  input: v.exactOptional(text),
  questions: v.exactOptional(v.array(Question)),
  /** The JSON text of the JSON Schema of a form's answer. */
  schema: v.exactOptional(text),
  choices: v.array(RequestChoice),
});

/** The question was answered by somebody or by a rule, or was taken back. */
const QuestionEnded = v.strictObject({
  kind: v.literal("questionEnded"),
  runId,
  requestId: text,
  outcome: eventSchemas.request_end.entries.outcome,
  by: eventSchemas.request_end.entries.by,
  rule: v.exactOptional(text),
  message: v.exactOptional(text),
});

/** In a live session: the agent's to-do list, whole. Replaces the one before it. */
const Plan = v.strictObject({ kind: v.literal("plan"), runId, entries: v.array(PlanEntry) });

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
  TurnStarted,
  TurnEnded,
  AskQuestion,
  QuestionEnded,
  Plan,
  ErrorReport,
  Exited,
]);
export type RunEvent = v.InferOutput<typeof RunEvent>;
export type RunEventOf<Kind extends RunEvent["kind"]> = Extract<RunEvent, { kind: Kind }>;
