import * as v from "valibot";
import { ChangesEvent } from "./changes.js";
import {
  anyJson,
  callId,
  common,
  costSource,
  costUsd,
  duration,
  isSuccess,
  lineRange,
  text,
} from "./event-parts.js";
import { ExitReason, Failure } from "./failure.js";
import {
  PlanEvent,
  PlannedOperation,
  RequestEndEvent,
  RequestEvent,
  TurnEndEvent,
  TurnEvent,
} from "./live-event.js";
import { tokenClasses, UsageScope } from "./usage.js";

/**
 * The vocabulary: one flat union, discriminated by `type`. An unset optional field is absent, never
 * null. Everything to the right of the translators (outputs, recordings, the page, your code) reads
 * only these events.
 */

/** The process was spawned. First event of every run. */
const Started = v.strictObject({
  type: v.literal("started"),
  ...common,
  agent: text,
  agentVersion: v.exactOptional(text),
  cwd: text,
});

/** The agent identified itself; again only when its model changes. */
const Session = v.strictObject({
  type: v.literal("session"),
  ...common,
  model: v.exactOptional(text),
  cwd: v.exactOptional(text),
});

/** How the run ended, by the published rule. Exactly once, before `exited`. */
const Result = v.strictObject({
  type: v.literal("result"),
  ...common,
  isSuccess: v.boolean(),
  text: v.exactOptional(text),
  /** The value that fits the schema which the run was given. */
  output: v.exactOptional(anyJson),
  durationMs: v.exactOptional(duration),
  costUsd,
  costSource,
  failure: v.exactOptional(Failure),
});

/** The process is gone. Exactly once, always last. */
const Exited = v.strictObject({
  type: v.literal("exited"),
  ...common,
  exitCode: v.nullable(v.pipe(v.number(), v.integer())),
  signal: v.exactOptional(text),
  reason: ExitReason,
});

/** A streamed piece of the answer; the whole follows as `agent`. */
const Text = v.strictObject({
  type: v.literal("text"),
  ...common,
  delta: text,
  messageId: v.exactOptional(text),
});

/**
 * A complete message; from the assistant unless `role` says otherwise. Its `text` pieces have the same `messageId`.
 * A message that is reported block by block is several `agent` events with one id.
 */
const Agent = v.strictObject({
  type: v.literal("agent"),
  ...common,
  message: text,
  messageId: v.exactOptional(text),
  role: v.exactOptional(v.picklist(["user", "system"])),
});

/** Model reasoning: a streamed piece (`delta`) or a whole block (`message`), never both for the same words. */
const Thinking = v.strictObject({
  type: v.literal("thinking"),
  ...common,
  delta: v.exactOptional(text),
  message: v.exactOptional(text),
});

/** `operations`: what the call is going to do, if its name and input say so. */
const ToolStart = v.strictObject({
  type: v.literal("tool_start"),
  ...common,
  callId: text,
  name: text,
  input: v.exactOptional(anyJson),
  operations: v.exactOptional(v.array(PlannedOperation)),
});

/** One for every `tool_start`. Without `isSuccess` when the stream ended while the call was running. */
const ToolEnd = v.strictObject({
  type: v.literal("tool_end"),
  ...common,
  callId: text,
  name: text,
  isSuccess,
  output: v.exactOptional(anyJson),
});

const Command = v.strictObject({
  type: v.literal("command"),
  ...common,
  command: text,
  workingDirectory: v.exactOptional(text),
  exitCode: v.exactOptional(v.pipe(v.number(), v.integer())),
  isSuccess,
  callId,
});

const Read = v.strictObject({
  type: v.literal("read"),
  ...common,
  path: text,
  ...lineRange,
  isSuccess,
  callId,
});
const Write = v.strictObject({
  type: v.literal("write"),
  ...common,
  path: text,
  ...lineRange,
  isSuccess,
  callId,
});

const Search = v.strictObject({
  type: v.literal("search"),
  ...common,
  query: text,
  path: v.exactOptional(text),
  isSuccess,
  callId,
});

const List = v.strictObject({
  type: v.literal("list"),
  ...common,
  path: v.exactOptional(text),
  isSuccess,
  callId,
});

const Skill = v.strictObject({
  type: v.literal("skill"),
  ...common,
  path: text,
  skillName: v.exactOptional(text),
  ...lineRange,
  isSuccess,
  callId,
});

const Orchestration = v.strictObject({
  type: v.literal("orchestration"),
  ...common,
  action: v.picklist(["subagent_started", "subagent_completed", "subagent_failed"]),
  subagentId: v.exactOptional(text),
  subagentName: v.exactOptional(text),
  isSuccess,
  callId,
});

const byteOffset = v.pipe(v.number(), v.integer(), v.minValue(0));

/** A proposed edit; the range is in UTF-8 bytes. */
export const SuggestedEdit = v.strictObject({
  filePath: text,
  range: v.strictObject({ start: byteOffset, end: byteOffset }),
  replacement: text,
  title: v.exactOptional(text),
});
export type SuggestedEdit = v.InferOutput<typeof SuggestedEdit>;

const Edits = v.strictObject({ type: v.literal("edits"), ...common, edits: v.array(SuggestedEdit) });

const Usage = v.strictObject({
  type: v.literal("usage"),
  ...common,
  ...tokenClasses,
  costUsd,
  costSource,
  scope: UsageScope,
});

const Warning = v.strictObject({
  type: v.literal("warning"),
  ...common,
  message: text,
  code: v.exactOptional(text),
});
const ErrorReport = v.strictObject({
  type: v.literal("error"),
  ...common,
  message: text,
  code: v.exactOptional(text),
});

/** Output that no rule understands: kept, never dropped. A string when it was not JSON. */
const Unknown = v.strictObject({ type: v.literal("unknown"), ...common, raw: anyJson });

/** Every event type with its schema; the order is the order of the documentation. */
export const eventSchemas = {
  started: Started,
  session: Session,
  result: Result,
  exited: Exited,
  text: Text,
  agent: Agent,
  thinking: Thinking,
  tool_start: ToolStart,
  tool_end: ToolEnd,
  command: Command,
  read: Read,
  write: Write,
  search: Search,
  list: List,
  skill: Skill,
  orchestration: Orchestration,
  plan: PlanEvent,
  turn: TurnEvent,
  turn_end: TurnEndEvent,
  request: RequestEvent,
  request_end: RequestEndEvent,
  edits: Edits,
  changes: ChangesEvent,
  usage: Usage,
  warning: Warning,
  error: ErrorReport,
  unknown: Unknown,
} as const;

export const HarnessEvent = v.variant("type", [
  Started,
  Session,
  Result,
  Exited,
  Text,
  Agent,
  Thinking,
  ToolStart,
  ToolEnd,
  Command,
  Read,
  Write,
  Search,
  List,
  Skill,
  Orchestration,
  PlanEvent,
  TurnEvent,
  TurnEndEvent,
  RequestEvent,
  RequestEndEvent,
  Edits,
  ChangesEvent,
  Usage,
  Warning,
  ErrorReport,
  Unknown,
]);
/** One event of a run. `type` says which one; docs/events.md explains each. */
export type HarnessEvent = v.InferOutput<typeof HarnessEvent>;

/** True if the value matches the event schema. */
export function isHarnessEvent(value: unknown): value is HarnessEvent {
  return v.is(HarnessEvent, value);
}

/** The types of all events. */
export type EventType = HarnessEvent["type"];
/** The event of one type: `EventOf<"write">`. */
export type EventOf<T extends EventType> = Extract<HarnessEvent, { type: T }>;
