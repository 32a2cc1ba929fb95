import type { HarnessEvent } from "../../events/event.js";
import { cutSentence, endOf, outcomeOf, type RunFacts, sentTokensOf } from "../run-facts.js";
import { limitedJson, limitedText } from "./limits.js";
import type { AgUiEvent, AgUiUsage } from "./schema.js";

/** The ids that every run of AG-UI has. */
export interface RunIds {
  threadId: string;
  runId: string;
}

/** `RUN_STARTED`, from the first event, whatever it is. */
export function toRunStarted(
  event: HarnessEvent | undefined,
  ids: RunIds,
  prompt: string | undefined,
): AgUiEvent {
  return {
    type: "RUN_STARTED",
    ...ids,
    protocolVersion: "1.0",
    ...(prompt !== undefined && { input: toInput(prompt, ids) }),
    ...(event !== undefined && { metadata: { harness: aboutRun(event) } }),
  };
}

function toInput(prompt: string, ids: RunIds) {
  const message = { id: `${ids.runId}-prompt`, role: "user", content: limitedText(prompt) } as const;
  return { ...ids, messages: [message], tools: [], context: [] };
}

function aboutRun(event: HarnessEvent) {
  const { runId } = event;
  if (event.type !== "started") return { runId };
  const { agent, agentVersion, cwd } = event;
  return { runId, agent, ...(agentVersion !== undefined && { agentVersion }), cwd };
}

/** The last event: `RUN_FINISHED` or `RUN_ERROR`. */
export function toRunEnd(facts: RunFacts, ids: RunIds, because: string | undefined): AgUiEvent {
  const { result, usage } = facts;
  const outcome = outcomeOf(facts);
  const counted = usage === undefined ? {} : { usage: [toUsage(usage, facts.model)] };
  if (outcome === undefined)
    return {
      type: "RUN_ERROR",
      message: because ?? cutSentence,
      code: because === undefined ? "cut" : "stream_failed",
      ...counted,
    };
  const metadata = { harness: aboutEnd(facts, outcome) };
  if (!outcome.isSuccess && !outcome.isCancelled) {
    const { message = "the run failed", kind: code = "unknown" } = outcome.failure ?? {};
    return { type: "RUN_ERROR", message: limitedText(message), code, ...counted, metadata };
  }
  const answer = result?.output ?? endOf(facts)?.text;
  return {
    type: "RUN_FINISHED",
    ...ids,
    ...(answer !== undefined && { result: limitedJson(answer) }),
    outcome: { type: outcome.isSuccess ? "success" : "cancelled" },
    ...counted,
    metadata,
  };
}

function aboutEnd(facts: RunFacts, outcome: NonNullable<ReturnType<typeof outcomeOf>>) {
  const { isCancelled: _, ...known } = outcome;
  const { costUsd, costSource } = facts;
  const durationMs = endOf(facts)?.durationMs;
  return {
    ...known,
    ...(costUsd !== undefined && { costUsd }),
    ...(costSource !== undefined && { costSource }),
    ...(durationMs !== undefined && { durationMs }),
  };
}

function toUsage(usage: NonNullable<RunFacts["usage"]>, model: string | undefined): AgUiUsage {
  const { cacheReadTokens, cacheWriteTokens, outputTokens, reasoningTokens, totalTokens } = usage;
  const sent = sentTokensOf(usage);
  return {
    ...(model !== undefined && { model }),
    ...(sent !== undefined && { inputTokens: sent }),
    ...(outputTokens !== undefined && { outputTokens }),
    ...(totalTokens !== undefined && { totalTokens }),
    ...(reasoningTokens !== undefined && { reasoningTokens }),
    ...(cacheReadTokens !== undefined && { cachedInputTokens: cacheReadTokens }),
    ...(cacheWriteTokens !== undefined && { cacheWriteInputTokens: cacheWriteTokens }),
  };
}
