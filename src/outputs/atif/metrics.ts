import type { EventOf } from "../../events/event.js";
import type { TokenCounts } from "../../events/usage.js";
import type { RunSummary } from "../../story/run-summary.js";
import type { AtifMetrics, AtifTrajectory } from "./schema.js";

type FinalMetrics = NonNullable<AtifTrajectory["final_metrics"]>;

/** The numbers of one request to the model. */
export function metricsOf(usage: EventOf<"usage">): AtifMetrics {
  const { outputTokens, cacheReadTokens, costUsd, costSource } = usage;
  const sent = sentTokens(usage);
  const extra = numbersOf(usage, costSource);
  return {
    ...(sent !== undefined && { prompt_tokens: sent }),
    ...(outputTokens !== undefined && { completion_tokens: outputTokens }),
    ...(cacheReadTokens !== undefined && { cached_tokens: cacheReadTokens }),
    ...(costUsd !== undefined && { cost_usd: costUsd }),
    ...(extra !== undefined && { extra }),
  };
}

/**
 * The numbers of the run. Those of a resumed session cover more than the run, and those of a run that has not ended are
 * incomplete: both are in `extra`.
 */
export function finalMetricsOf(
  summary: RunSummary,
  spentTokens: number | undefined,
  steps: number,
): FinalMetrics {
  const { usage, costUsd, costSource } = summary;
  const total = usage?.scope === "session" ? undefined : usage;
  const { outputTokens, cacheReadTokens } = total ?? {};
  const sent = sentTokens(total ?? {});
  const others = usage?.scope === "session" ? { sessionUsage: usage } : spent(total, spentTokens);
  const extra = {
    ...numbersOf(total ?? {}, costSource === "estimated" ? costSource : undefined),
    ...(others !== undefined && { harness: others }),
  };
  return {
    ...(sent !== undefined && { total_prompt_tokens: sent }),
    ...(outputTokens !== undefined && { total_completion_tokens: outputTokens }),
    ...(cacheReadTokens !== undefined && { total_cached_tokens: cacheReadTokens }),
    ...(costUsd !== undefined && { total_cost_usd: costUsd }),
    total_steps: steps,
    ...(Object.keys(extra).length > 0 && { extra }),
  };
}

function spent(
  total: TokenCounts | undefined,
  tokens: number | undefined,
): { tokensSoFar: number } | undefined {
  return total === undefined && tokens !== undefined ? { tokensSoFar: tokens } : undefined;
}

/** Everything that was sent. Our classes are disjoint, and ATIF's prompt includes the cached tokens. */
function sentTokens({
  inputTokens,
  cacheReadTokens = 0,
  cacheWriteTokens = 0,
}: TokenCounts): number | undefined {
  return inputTokens === undefined ? undefined : inputTokens + cacheReadTokens + cacheWriteTokens;
}

function numbersOf(usage: TokenCounts, costSource: "estimated" | undefined): AtifMetrics["extra"] {
  const { cacheWriteTokens, reasoningTokens, totalTokens } = usage;
  const extra = {
    ...(cacheWriteTokens !== undefined && { cache_write_tokens: cacheWriteTokens }),
    ...(reasoningTokens !== undefined && { reasoning_tokens: reasoningTokens }),
    ...(totalTokens !== undefined && { total_tokens: totalTokens }),
    ...(costSource !== undefined && { cost_source: costSource }),
  };
  return Object.keys(extra).length > 0 ? extra : undefined;
}
