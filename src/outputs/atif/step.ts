import type { HarnessEvent } from "../../events/event.js";
import type { OperationEvent } from "../../events/operation.js";
import { wellFormed } from "../../text/clean-text.js";
import { isObject } from "../../text/fields.js";
import type { JsonValue } from "../../text/json.js";
import { toJsonText } from "../../text/to-json.js";
import type { DraftCall, DraftStep } from "./draft.js";
import { metricsOf } from "./metrics.js";
import { plainObject } from "./plain.js";
import type { AtifStep } from "./schema.js";

type ToolCall = NonNullable<AtifStep["tool_calls"]>[number];
type Result = NonNullable<AtifStep["observation"]>["results"][number];
type Extra = { extra?: NonNullable<AtifStep["extra"]> };

export interface StepContext {
  /** The model of the trajectory: steps name another one only. */
  model: string | undefined;
  /** The trajectory of the subagent that a call started, if it has one. */
  subagentOf(call: DraftCall): string | undefined;
}

export function toStep(draft: DraftStep, index: number, context: StepContext): AtifStep {
  const { source, calls, usage, model } = draft;
  const said = draft.messages.filter(({ isWithdrawn }) => !isWithdrawn);
  const reasoning = joined(draft.thoughts);
  const results = calls.flatMap((call) => toResult(call, context.subagentOf(call)) ?? []);
  return {
    step_id: index + 1,
    ...timestampOf(draft.timestamp),
    source,
    message: joined(said),
    ...(model !== undefined && model !== context.model && { model_name: wellFormed(model) }),
    ...(reasoning !== "" && { reasoning_content: reasoning }),
    ...(calls.length > 0 && { tool_calls: calls.map(toCall) }),
    ...(results.length > 0 && { observation: { results } }),
    ...(usage !== undefined && { metrics: metricsOf(usage), llm_call_count: 1 as const }),
    ...extraOf({
      isCutOff: said.some(({ isWhole }) => !isWhole) || undefined,
      withdrawn: listed(draft.messages.filter(({ isWithdrawn }) => isWithdrawn).map(({ text }) => text)),
      events: listed(draft.others.map(withoutPlace)),
    }),
  };
}

/** Our own data. Undefined fields are left out, and so is an empty object. */
export function extraOf(given: object): Extra {
  const harness = plainObject(given);
  return Object.keys(harness).length === 0 ? {} : { extra: { harness } };
}

function joined(parts: readonly { text: string }[]): string {
  return wellFormed(
    parts
      .map(({ text }) => text)
      .filter((text) => text !== "")
      .join("\n\n"),
  );
}

function listed<T>(items: readonly T[]): readonly T[] | undefined {
  return items.length === 0 ? undefined : items;
}

/** Readers take only the common forms of ISO 8601. */
function timestampOf(timestamp: string): { timestamp?: string } {
  const time = new Date(timestamp);
  return Number.isNaN(time.getTime()) ? {} : { timestamp: time.toISOString() };
}

function toCall({ id, start }: DraftCall): ToolCall {
  return {
    tool_call_id: wellFormed(id),
    function_name: wellFormed(start.name),
    arguments: argumentsOf(start.input),
    ...extraOf({ operations: start.operations }),
  };
}

/** ATIF wants an object. Text and lists, which some tools take, are its only field. */
function argumentsOf(input: JsonValue | undefined): ToolCall["arguments"] {
  if (input === undefined) return {};
  return plainObject(isObject(input) ? input : { input });
}

/** What came of a call. A call without an end has a result only if it did something. */
function toResult(call: DraftCall, subagent: string | undefined): Result | undefined {
  const { id, end, operations } = call;
  if (end === undefined && operations.length === 0 && subagent === undefined) return undefined;
  return {
    source_call_id: wellFormed(id),
    ...(end?.output !== undefined && { content: wellFormed(toJsonText(end.output)) }),
    ...(subagent !== undefined && { subagent_trajectory_ref: [{ trajectory_id: subagent }] }),
    ...extraOf({
      isSuccess: end?.isSuccess,
      isUnfinished: call.isUnfinished || end === undefined || undefined,
      endedAt: call.isUnfinished ? undefined : end?.timestamp,
      operations: listed(operations.map(asOperation)),
    }),
  };
}

/** An event that stands in a step: the fields that say where it stood are known from there. */
function withoutPlace<T extends HarnessEvent>(event: T): Omit<T, Place> {
  const { runId, sessionId, line, parentCallId, turnId, ...rest } = event;
  return rest;
}

type Place = "runId" | "sessionId" | "line" | "parentCallId" | "turnId";

function asOperation(event: OperationEvent): object {
  const { timestamp, seq, callId, ...rest } = withoutPlace(event);
  return rest;
}
