import type { HarnessEvent } from "../../events/event.js";
import type { TokenCounts } from "../../events/usage.js";
import { endOf, outcomeOf, type RunFacts, sentTokensOf } from "../run-facts.js";
import type { UiMessageMetadata } from "./schema.js";

/** What is known about a run when it begins. */
export function metadataAtStart(event: HarnessEvent, prompt: string | undefined): UiMessageMetadata {
  const metadata: UiMessageMetadata = { runId: event.runId };
  if (event.type === "started") {
    metadata.agent = event.agent;
    if (event.agentVersion !== undefined) metadata.agentVersion = event.agentVersion;
    if (event.cwd !== "") metadata.cwd = event.cwd;
  }
  if (prompt !== undefined) metadata.prompt = prompt;
  if (event.sessionId !== undefined) metadata.sessionId = event.sessionId;
  return { ...metadata, startedAt: event.timestamp };
}

/** What is known when it has ended, or when the stream stops. */
export function metadataAtEnd(facts: RunFacts, runId: string): UiMessageMetadata {
  const { usage, costUsd, costSource, result, exited } = facts;
  const outcome = outcomeOf(facts);
  const metadata: UiMessageMetadata = { runId };
  if (usage !== undefined) metadata.usage = toUsage(usage);
  if (costUsd !== undefined) metadata.costUsd = costUsd;
  if (costSource !== undefined) metadata.costSource = costSource;
  const ended = endOf(facts);
  if (ended?.durationMs !== undefined) metadata.durationMs = ended.durationMs;
  const last = exited ?? ended;
  if (last !== undefined) metadata.endedAt = last.timestamp;
  if (outcome !== undefined) {
    const { isCancelled: _, ...known } = outcome;
    metadata.outcome = { ...known, ...(result?.output !== undefined && { output: result.output }) };
  }
  return metadata;
}

/** The AI SDK counts caches into the input and reasoning into the output, as details. */
function toUsage(usage: TokenCounts): NonNullable<UiMessageMetadata["usage"]> {
  const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens, reasoningTokens, totalTokens } =
    usage;
  const sent = sentTokensOf(usage);
  const spoken =
    outputTokens === undefined || reasoningTokens === undefined
      ? undefined
      : Math.max(0, outputTokens - reasoningTokens);
  return {
    ...(sent !== undefined && { inputTokens: sent }),
    inputTokenDetails: {
      ...(inputTokens !== undefined && { noCacheTokens: inputTokens }),
      ...(cacheReadTokens !== undefined && { cacheReadTokens }),
      ...(cacheWriteTokens !== undefined && { cacheWriteTokens }),
    },
    ...(outputTokens !== undefined && { outputTokens }),
    outputTokenDetails: {
      ...(spoken !== undefined && { textTokens: spoken }),
      ...(reasoningTokens !== undefined && { reasoningTokens }),
    },
    ...(totalTokens !== undefined && { totalTokens }),
  };
}
