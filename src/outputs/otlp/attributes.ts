import type { EventOf, HarnessEvent } from "../../events/event.js";
import type { Failure } from "../../events/failure.js";
import type { OperationEvent } from "../../events/operation.js";
import type { TokenCounts } from "../../events/usage.js";
import { explainFailure } from "../../story/explain-failure.js";
import { wellFormed } from "../../text/clean-text.js";
import { cutEndOf, toVisibleLine } from "../../text/cut.js";
import type { JsonValue } from "../../text/json.js";
import { toJson, toJsonText } from "../../text/to-json.js";
import { type Attributes, failSpan, type TraceSpan } from "./span.js";

/*
 * Names and values of attributes: those of the GenAI conventions of OpenTelemetry where they have one, else our own under `harness.`.
 */

/** Long contents are cut to this many UTF-16 units: collectors refuse messages of some megabytes. */
const maxContent = 16 * 1024;
const maxName = 120;
const maxOperations = 20;

/** The name of a tool, an agent or a model: one line. */
export function toName(text: string): string {
  return toVisibleLine(text, maxName);
}

/** An id as the agent wrote it. */
export function toId(text: string): string {
  return wellFormed(cutEndOf(text, 256));
}

/** What somebody wrote: it is part of a span only if contents were asked for. */
export function toContent(value: JsonValue): string {
  return wellFormed(cutEndOf(toJsonText(value), maxContent));
}

/** A message, in the shape that the conventions have for `gen_ai.input.messages` and `gen_ai.output.messages`. */
export function toMessages(role: "user" | "assistant", text: string): string {
  const parts = [{ type: "text", content: wellFormed(cutEndOf(text, maxContent)) }];
  return toJson([role === "user" ? { role, parts } : { role, parts, finish_reason: "stop" }]);
}

/**
 * Tokens. The conventions count cached tokens as part of the input, and reasoning as part of the output. `prefix` is `gen_ai.` on
 * the span of the whole run and `harness.` anywhere else, so that whoever adds up `gen_ai.usage` counts nothing twice.
 */
export function usageAttributes(tokens: TokenCounts, prefix: "gen_ai" | "harness"): Attributes {
  const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens, reasoningTokens, totalTokens } =
    tokens;
  const inputs = [inputTokens, cacheReadTokens, cacheWriteTokens].filter((count) => count !== undefined);
  const input = inputs.length === 0 ? undefined : inputs.reduce((sum, count) => sum + count, 0);
  return {
    ...(input !== undefined && { [`${prefix}.usage.input_tokens`]: input }),
    ...(cacheReadTokens !== undefined && { [`${prefix}.usage.cache_read.input_tokens`]: cacheReadTokens }),
    ...(cacheWriteTokens !== undefined && {
      [`${prefix}.usage.cache_creation.input_tokens`]: cacheWriteTokens,
    }),
    ...(outputTokens !== undefined && { [`${prefix}.usage.output_tokens`]: outputTokens }),
    ...(reasoningTokens !== undefined && { [`${prefix}.usage.reasoning.output_tokens`]: reasoningTokens }),
    // The conventions have no name for the total.
    ...(totalTokens !== undefined && { "harness.usage.total_tokens": totalTokens }),
  };
}

export function costAttributes(event: { costUsd?: number; costSource?: "estimated" }): Attributes {
  if (event.costUsd === undefined) return {};
  return {
    "harness.cost.usd": event.costUsd,
    ...(event.costSource !== undefined && { "harness.cost.source": event.costSource }),
  };
}

/** The beginnings of models' names, and the names that the conventions have for those who offer them. */
const providers: readonly (readonly [RegExp, string])[] = [
  [/claude|^anthropic\b|\bopus\b|\bsonnet\b|\bhaiku\b/i, "anthropic"],
  [/^(?:openai\b|gpt\b|o\d\b|codex\b|chatgpt\b)/i, "openai"],
  [/^(?:google\b|gemini\b)/i, "gcp.gemini"],
  [/^(?:x-?ai\b|grok\b)/i, "x_ai"],
  [/^(?:moonshot|kimi\b)/i, "moonshot_ai"],
  [/^(?:deepseek)/i, "deepseek"],
  [/^(?:mistral|codestral|devstral)/i, "mistral_ai"],
  [/^(?:granite|ibm\b)/i, "ibm.watsonx.ai"],
];

/** Who offers the model, as far as its name says so. Otherwise the agent is named: the conventions require a value. */
export function providerOf(model: string | undefined, agent: string): string {
  const found = model === undefined ? undefined : providers.find(([shape]) => shape.test(model));
  return found?.[1] ?? toName(agent);
}

/** A span that failed. Without contents, the words are ours: those of the agent may quote anything. */
export function failBy(span: TraceSpan, failure: Failure | undefined, hasContents: boolean): void {
  const kind = failure?.kind ?? "unknown";
  const words = hasContents && failure !== undefined ? toContent(failure.message) : explainFailure(kind);
  failSpan(span, kind, words ?? kind);
  if (hasContents && failure?.hint !== undefined) span.attributes["harness.hint"] = toContent(failure.hint);
  if (failure?.retryAt !== undefined) span.attributes["harness.retry_at"] = failure.retryAt;
}

/** What a call did. Paths, commands and queries are contents. */
export function addOperationFacts(span: TraceSpan, event: OperationEvent, hasContents: boolean): void {
  const { attributes } = span;
  attributes["harness.operation"] ??= event.type;
  if (event.type === "command" && event.exitCode !== undefined)
    attributes["harness.command.exit_code"] = event.exitCode;
  if (!hasContents) return;
  if (event.type === "command") attributes["harness.command"] ??= toContent(event.command);
  if (event.type === "search") attributes["harness.search.query"] ??= toContent(event.query);
  if ("path" in event && event.path !== undefined) attributes["harness.file.path"] ??= toContent(event.path);
  if (event.type === "skill" && event.skillName !== undefined)
    attributes["harness.skill.name"] ??= toContent(event.skillName);
  const all = attributes["harness.operations"] ?? [];
  if (Array.isArray(all) && all.length < maxOperations)
    attributes["harness.operations"] = [...all, toContent(factsOf(event))];
}

/** An operation without what every event has. */
function factsOf(event: OperationEvent): string {
  const { timestamp, runId, seq, sessionId, line, parentCallId, turnId, callId, ...facts } = event;
  return toJson(facts);
}

/** What happened at one moment, as the event of a span. Undefined: nothing that a span could show. */
export function momentOf(event: HarnessEvent, hasContents: boolean): [string, Attributes] | undefined {
  switch (event.type) {
    case "warning":
    case "error":
      return [`harness.${event.type}`, reportOf(event, hasContents)];
    case "plan":
      return ["harness.plan", planOf(event)];
    case "edits":
      return ["harness.edits", { "harness.edits.count": event.edits.length }];
    case "unknown":
      return ["harness.unknown", hasContents ? { "harness.raw": toContent(event.raw) } : {}];
    case "agent":
      if (!hasContents) return undefined;
      return [
        "harness.message",
        {
          "harness.message.role": event.role ?? "assistant",
          "harness.message.text": toContent(event.message),
        },
      ];
    case "thinking":
      if (!hasContents || event.message === undefined) return undefined;
      return ["harness.thinking", { "harness.message.text": toContent(event.message) }];
    default:
      return undefined;
  }
}

function reportOf(event: EventOf<"warning"> | EventOf<"error">, hasContents: boolean): Attributes {
  return {
    ...(event.code !== undefined && { "harness.code": toName(event.code) }),
    ...(hasContents && { "harness.message.text": toContent(event.message) }),
  };
}

function planOf({ entries }: EventOf<"plan">): Attributes {
  return {
    "harness.plan.entries": entries.length,
    "harness.plan.completed": entries.filter(({ status }) => status === "completed").length,
  };
}
