import { asCount, asObject } from "../../translator/fields.js";
import type { JsonObject, JsonValue } from "../../vocabulary/json.js";
import type { TokenCounts } from "../../vocabulary/usage.js";
import { addTokens, countTokens, type ReportedTokens } from "../shared/tokens.js";

/**
 * The tokens of a run. `result.usage` covers the main thread only and is all zero after a recovered
 * cut; `modelUsage` includes subagents. The larger of the two is the whole (2.1.197).
 */
export function tokensOfResult(result: JsonObject): TokenCounts | undefined {
  const main = tokensOfUsage(result["usage"]);
  const models = asObject(result["modelUsage"]);
  const all = models && Object.values(models).map(tokensOfModel).reduce(addTokens, {});
  const candidates = [main, all].flatMap((tokens) => (tokens === undefined ? [] : [countTokens(tokens)]));
  return candidates.reduce<TokenCounts | undefined>(
    (best, counts) =>
      best === undefined || (counts.totalTokens ?? 0) > (best.totalTokens ?? 0) ? counts : best,
    undefined,
  );
}

/** The tokens of one request, as the API counts them when it ends. */
export function tokensOfStep(usage: JsonValue | undefined): TokenCounts | undefined {
  const tokens = tokensOfUsage(usage);
  return tokens && countTokens(tokens);
}

function tokensOfUsage(usage: JsonValue | undefined): ReportedTokens | undefined {
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
