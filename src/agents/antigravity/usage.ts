import { asCount, asObject } from "../../text/fields.js";
import type { JsonValue } from "../../text/json.js";
import { countTokens, type ReportedTokens } from "../shared/tokens.js";

/** The input count excludes cached tokens. The output count includes thinking. */
export function tokensOfUsage(usage: JsonValue | undefined): ReportedTokens | undefined {
  const fields = asObject(usage);
  if (fields === undefined) return undefined;
  return {
    input: asCount(fields["input_tokens"]),
    cacheRead: asCount(fields["cache_read_tokens"]),
    output: asCount(fields["output_tokens"]),
    reasoning: asCount(fields["thinking_tokens"]),
  };
}

/** The sum with more tokens. The first one counts if they are equal. */
export function largerOf(
  one: ReportedTokens | undefined,
  other: ReportedTokens | undefined,
): ReportedTokens | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return totalOf(other) > totalOf(one) ? other : one;
}

function totalOf(tokens: ReportedTokens): number {
  return countTokens(tokens).totalTokens ?? 0;
}
