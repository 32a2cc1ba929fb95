import type { TokenCounts } from "../../events/usage.js";
import { asCount, asObject } from "../../text/fields.js";
import type { JsonValue } from "../../text/json.js";
import { countTokensOfWholeInput } from "../shared/tokens.js";

/** The tokens of the whole thread. If the thread was resumed, they include earlier runs. */
export function usageOfThread(
  value: JsonValue | undefined,
  isResumed: boolean,
): (TokenCounts & { scope: "run" | "session" }) | undefined {
  const usage = asObject(value);
  if (usage === undefined) return undefined;
  const counts = countTokensOfWholeInput({
    input: asCount(usage["input_tokens"]),
    cacheRead: asCount(usage["cached_input_tokens"]),
    cacheWrite: asCount(usage["cache_write_input_tokens"]),
    output: asCount(usage["output_tokens"]),
    reasoning: asCount(usage["reasoning_output_tokens"]),
  });
  return { ...counts, scope: isResumed ? "session" : "run" };
}
