import type { TokenCounts } from "../../events/usage.js";
import { asCount } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import { countTokensOfWholeInput } from "../shared/tokens.js";

/**
 * The tokens of a run, subagents and routing included. `input_tokens` holds the cached ones.
 * `output_tokens` leaves reasoning out: only the total counts it (0.61.0), so output is what the total
 * has besides input.
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
