import type { TokenCounts } from "../../events/usage.js";
import { asCount } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import { countTokensOfWholeInput } from "../shared/tokens.js";

/**
 * The tokens of a run, subagents and routing included. `input_tokens` includes cached tokens.
 * `output_tokens` excludes reasoning, which only the total counts (0.61.0). So the output is the total minus
 * the input.
 */
export function geminiTokens(stats: JsonObject): TokenCounts | undefined {
  const input = asCount(stats["input_tokens"]);
  const output = asCount(stats["output_tokens"]);
  const total = asCount(stats["total_tokens"]);
  if (input === undefined && output === undefined) return undefined;
  const generated =
    total === undefined || input === undefined ? output : Math.max(output ?? 0, total - input);
  return countTokensOfWholeInput({ input, cacheRead: asCount(stats["cached"]), output: generated });
}
