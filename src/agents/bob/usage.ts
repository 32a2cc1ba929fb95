import type { TokenCounts } from "../../events/usage.js";
import { asCount } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import { countTokens, countTokensOfWholeInput } from "../shared/tokens.js";

/**
 * The tokens of a run, if they are reported: 2.x often leaves them out. Whether input holds the cached
 * ones is known from the total. `session_costs` are Bobcoins, not US dollars, so there is no cost.
 */
export function bobTokens(stats: JsonObject): TokenCounts | undefined {
  const input = asCount(stats["input_tokens"]);
  const output = asCount(stats["output_tokens"]);
  if (input === undefined && output === undefined) return undefined;
  const cacheRead = asCount(stats["cache_read_input_tokens"]);
  const cacheWrite = asCount(stats["cache_creation_input_tokens"]);
  const isWholeInput = asCount(stats["total_tokens"]) === (input ?? 0) + (output ?? 0);
  const count = isWholeInput ? countTokensOfWholeInput : countTokens;
  return count({ input, cacheRead, cacheWrite, output });
}
