import type { TokenCounts } from "../../events/usage.js";
import { asCount, asObject } from "../../text/fields.js";
import type { JsonObject, JsonValue } from "../../text/json.js";
import { countTokensOfWholeInput, type ReportedTokens } from "../shared/tokens.js";

/** The tokens of the whole thread. If the thread was resumed, they include earlier runs. */
export function usageOfThread(
  value: JsonValue | undefined,
  isResumed: boolean,
): (TokenCounts & { scope: "run" | "session" }) | undefined {
  const usage = asObject(value);
  if (usage === undefined) return undefined;
  return { ...countTokensOfWholeInput(tokensIn(usage)), scope: isResumed ? "session" : "run" };
}

/** The counts of a record. The input includes what was read from a cache. */
export function tokensIn(usage: JsonObject): ReportedTokens {
  return {
    input: asCount(usage["input_tokens"]),
    cacheRead: asCount(usage["cached_input_tokens"]),
    cacheWrite: asCount(usage["cache_write_input_tokens"]),
    output: asCount(usage["output_tokens"]),
    reasoning: asCount(usage["reasoning_output_tokens"]),
  };
}
