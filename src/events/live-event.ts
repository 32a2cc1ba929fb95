import * as v from "valibot";
import { anyJson, callId, common, costSource, costUsd, duration, lineRange, text } from "./event-parts.js";
import { Failure } from "./failure.js";

/*
 * The events of live sessions, and the to-do list, which one-shot runs have too.
 */

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

/** An entry of the agent's to-do list. */
export const PlanEntry = v.strictObject({
  content: text,
  status: v.picklist(["pending", "in_progress", "completed"]),
  priority: v.exactOptional(v.picklist(["high", "medium", "low"])),
});
export type PlanEntry = v.InferOutput<typeof PlanEntry>;

/** The agent's to-do list, whole, whenever it changes. */
export const PlanEvent = v.strictObject({
  type: v.literal("plan"),
  ...common,
  entries: v.array(PlanEntry),
  callId,
});

/** A turn of a live session began: with a prompt (`user`), or because the agent went on by itself (`agent`). */
export const TurnEvent = v.strictObject({
  type: v.literal("turn"),
  ...common,
  turnId: text,
  prompt: v.exactOptional(text),
  origin: v.picklist(["user", "agent"]),
});

export const TurnReason = v.picklist(["completed", "failed", "interrupted"]);
export type TurnReason = v.InferOutput<typeof TurnReason>;

/** Exactly one for every `turn`, also if the process dies. */
export const TurnEndEvent = v.strictObject({
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
/** One question that the agent asks its user. */
export type Question = v.InferOutput<typeof Question>;

export const RequestChoice = v.picklist(["allow", "allow_always", "deny", "answer"]);
export type RequestChoice = v.InferOutput<typeof RequestChoice>;

/**
 * The agent waits for an answer. `permission`: may it do this? `question`: what does the user want? `plan`: may it carry this
 * plan out? `form`: data that an MCP server asks for, described by a JSON Schema.
 */
export const RequestEvent = v.strictObject({
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
export const RequestEndEvent = v.strictObject({
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
