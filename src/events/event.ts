import * as v from "valibot";
import type { JsonValue } from "../text/json.js";
import { ExitReason, Failure } from "./failure.js";
import { tokenClasses, UsageScope } from "./usage.js";

/**
 * The vocabulary: one flat union, discriminated by `type`. An unset optional field is absent, never
 * null. Everything to the right of the translators (outputs, recordings, the page, your code) reads
 * only these events.
 */

/** Any JSON value. Typed by hand: the schema accepts what `JSON.parse` can return. */
const anyJson = v.custom<JsonValue>((value) => value !== undefined);
const lineNumber = v.pipe(v.number(), v.integer(), v.minValue(1));
const duration = v.pipe(v.number(), v.minValue(0));
const costUsd = v.exactOptional(v.pipe(v.number(), v.minValue(0)));
const text = v.string();

/** On every event. */
const common = {
  timestamp: v.pipe(text, v.isoTimestamp()),
  runId: text,
  /** 0, 1, 2 … in the run. */
  seq: v.pipe(v.number(), v.integer(), v.minValue(0)),
  /** The agent's own session id, once it is known. */
  sessionId: v.exactOptional(text),
  /** Number (from 1) of the raw record that the event came from. Absent if no line caused the event. */
  line: v.exactOptional(lineNumber),
  /** On events of a subagent: the call that started the subagent. */
  parentCallId: v.exactOptional(text),
  /** In a live session: the turn that the event belongs to. */
  turnId: v.exactOptional(text),
};

const callId = v.exactOptional(text);
const isSuccess = v.exactOptional(v.boolean());
/** Only on a cost that is not the agent's own figure, but the tokens times a price. */
const costSource = v.exactOptional(v.literal("estimated"));
const lineRange = { startLine: v.exactOptional(lineNumber), endLine: v.exactOptional(lineNumber) };

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

/** What a call is going to do. The event of the same type follows when the call has ended, with its outcome. */
export const PlannedOperation = v.variant("type", [
  v.strictObject({
    type: v.literal("command"),
    command: text,
    workingDirectory: v.exactOptional(text),
  }),
  v.strictObject({ type: v.picklist(["read", "write"]), path: text, ...lineRange }),
  v.strictObject({ type: v.literal("search"), query: text, path: v.exactOptional(text) }),
  v.strictObject({ type: v.literal("list"), path: v.exactOptional(text) }),
  v.strictObject({ type: v.literal("skill"), path: text, skillName: v.exactOptional(text) }),
]);
export type PlannedOperation = v.InferOutput<typeof PlannedOperation>;

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

/** An entry of the agent's to-do list. */
export const PlanEntry = v.strictObject({
  content: text,
  status: v.picklist(["pending", "in_progress", "completed"]),
  priority: v.exactOptional(v.picklist(["high", "medium", "low"])),
});
export type PlanEntry = v.InferOutput<typeof PlanEntry>;

/** The agent's to-do list, whole, whenever it changes. */
const Plan = v.strictObject({ type: v.literal("plan"), ...common, entries: v.array(PlanEntry), callId });

/** A turn of a live session began: with a prompt (`user`), or because the agent went on by itself (`agent`). */
const Turn = v.strictObject({
  type: v.literal("turn"),
  ...common,
  turnId: text,
  prompt: v.exactOptional(text),
  origin: v.picklist(["user", "agent"]),
});

export const TurnReason = v.picklist(["completed", "failed", "interrupted"]);
export type TurnReason = v.InferOutput<typeof TurnReason>;

/** Exactly one for every `turn`, also if the process dies. */
const TurnEnd = v.strictObject({
  type: v.literal("turn_end"),
  ...common,
  turnId: text,
  isSuccess: v.boolean(),
  reason: TurnReason,
  text: v.exactOptional(text),
  failure: v.exactOptional(Failure),
  durationMs: v.exactOptional(duration),
  costUsd,
  costSource,
});

/** What the agent asks to do. `fetch` and `mcp` exist only here: afterwards such a call is `unknown`, since it touches no file. */
export const RequestedOperation = v.variant("type", [
  ...PlannedOperation.options,
  v.strictObject({ type: v.literal("fetch"), url: v.exactOptional(text) }),
  v.strictObject({ type: v.literal("mcp"), server: v.exactOptional(text), tool: text }),
]);
export type RequestedOperation = v.InferOutput<typeof RequestedOperation>;

export const Question = v.strictObject({
  /** Answers are given by this id. */
  id: text,
  question: text,
  header: v.exactOptional(text),
  options: v.exactOptional(v.array(v.strictObject({ label: text, description: v.exactOptional(text) }))),
  isMultiple: v.exactOptional(v.boolean()),
});
export type Question = v.InferOutput<typeof Question>;

export const RequestChoice = v.picklist(["allow", "allow_always", "deny", "answer"]);
export type RequestChoice = v.InferOutput<typeof RequestChoice>;

/**
 * The agent waits for an answer. `permission`: may it do this? `question`: what does the user want? `plan`: may it carry this
 * plan out? `form`: data that an MCP server asks for, described by a JSON Schema.
 */
const Request = v.strictObject({
  type: v.literal("request"),
  ...common,
  requestId: text,
  kind: v.picklist(["permission", "question", "plan", "form"]),
  callId,
  /** The tool that would be used, or who asks. */
  name: text,
  /** What would be done. Absent if the name and the input do not say. */
  operations: v.exactOptional(v.array(RequestedOperation)),
  input: v.exactOptional(anyJson),
  /** The agent's own words: why it asks, the plan, the message of a form. */
  message: v.exactOptional(text),
  questions: v.exactOptional(v.array(Question)),
  /** The JSON Schema of a form's answer. */
  schema: v.exactOptional(anyJson),
  choices: v.array(RequestChoice),
});

/** Exactly one for every `request`. */
const RequestEnd = v.strictObject({
  type: v.literal("request_end"),
  ...common,
  requestId: text,
  outcome: v.picklist(["allowed", "denied", "answered", "withdrawn"]),
  /** `policy`: the rules or the mode of permissions decided. `agent`: it took the request back. */
  by: v.picklist(["caller", "policy", "agent"]),
  /** The rule that decided, as it was written. */
  rule: v.exactOptional(text),
  /** The reason that was given with a denial. */
  message: v.exactOptional(text),
});

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
  plan: Plan,
  turn: Turn,
  turn_end: TurnEnd,
  request: Request,
  request_end: RequestEnd,
  edits: Edits,
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
  Plan,
  Turn,
  TurnEnd,
  Request,
  RequestEnd,
  Edits,
  Usage,
  Warning,
  ErrorReport,
  Unknown,
]);
export type HarnessEvent = v.InferOutput<typeof HarnessEvent>;

/** True if the value matches the event schema. */
export function isHarnessEvent(value: unknown): value is HarnessEvent {
  return v.is(HarnessEvent, value);
}

export type EventType = HarnessEvent["type"];
export type EventOf<T extends EventType> = Extract<HarnessEvent, { type: T }>;
