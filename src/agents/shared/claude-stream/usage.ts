import { asCost } from "../../../events/sound-numbers.js";
import type { TokenCounts } from "../../../events/usage.js";
import { asCount, asObject } from "../../../text/fields.js";
import type { JsonObject, JsonValue } from "../../../text/json.js";
import { addTokens, countTokens, type ReportedTokens } from "../tokens.js";

/** What is known about the run of a result. */
export interface ResultContext {
  isResumed: boolean;
  hasSubagents: boolean;
  /** The main thread's tokens in earlier results. */
  earlier?: ReportedTokens;
}

export interface ResultNumbers {
  usage?: TokenCounts & { scope: "run" | "session" };
  costUsd?: number | undefined;
}

/**
 * The tokens and the cost of a run.
 * - `usage` covers only the main thread, and is all zero after a recovered cut. `modelUsage` includes subagents.
 *   The larger of the two is the total (2.1.197).
 * - In a resumed session `modelUsage` and the cost may include earlier runs (2.1.325, not 2.1.197). If `modelUsage`
 *   is larger there, the reason is earlier runs, subagents or both. It is certain only for a run without subagents.
 * - With several results, each `usage` covers what came after the result before it. `modelUsage` and the cost are
 *   cumulative.
 */
export function numbersOfResult(
  result: JsonObject,
  { isResumed, hasSubagents, earlier = {} }: ResultContext,
): ResultNumbers {
  const costUsd = asCost(result["total_cost_usd"]);
  const last = tokensOfUsage(result["usage"]);
  const main = countIfKnown(last && addTokens(earlier, last));
  const models = asObject(result["modelUsage"]);
  const all = countIfKnown(models && Object.values(models).map(tokensOfModel).reduce(addTokens, {}));
  const mainTotal = main?.totalTokens ?? 0;
  const isMore = all !== undefined && (main === undefined || (all.totalTokens ?? 0) > mainTotal);
  if (!isMore) return { ...(main && { usage: { ...main, scope: "run" } }), costUsd };
  if (!isResumed || mainTotal === 0) return { usage: { ...all, scope: "run" }, costUsd };
  return {
    usage: hasSubagents || main === undefined ? { ...all, scope: "session" } : { ...main, scope: "run" },
  };
}

function countIfKnown(tokens: ReportedTokens | undefined): TokenCounts | undefined {
  return tokens && countTokens(tokens);
}

/** The tokens of one request, as the API counts them at its end. */
export function tokensOfStep(usage: JsonValue | undefined): TokenCounts | undefined {
  const tokens = tokensOfUsage(usage);
  return tokens && countTokens(tokens);
}

export function tokensOfUsage(usage: JsonValue | undefined): ReportedTokens | undefined {
  const fields = asObject(usage);
  return (
    fields && {
      input: asCount(fields["input_tokens"]),
      cacheRead: asCount(fields["cache_read_input_tokens"]),
      cacheWrite: asCount(fields["cache_creation_input_tokens"]),
      output: asCount(fields["output_tokens"]),
    }
  );
}

function tokensOfModel(usage: JsonValue): ReportedTokens {
  const fields = asObject(usage) ?? {};
  return {
    input: asCount(fields["inputTokens"]),
    cacheRead: asCount(fields["cacheReadInputTokens"]),
    cacheWrite: asCount(fields["cacheCreationInputTokens"]),
    output: asCount(fields["outputTokens"]),
  };
}
