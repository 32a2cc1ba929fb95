import { asCount, asObject } from "../../text/fields.js";
import type { JsonValue } from "../../text/json.js";
import type { ReportedTokens } from "../shared/tokens.js";

/** Input leaves cached tokens out; thinking is part of the output. */
export function reportedTokens(usage: JsonValue | undefined): ReportedTokens | undefined {
  const fields = asObject(usage);
  if (fields === undefined) return undefined;
  return {
    input: asCount(fields["input_tokens"]),
    cacheRead: asCount(fields["cache_read_tokens"]),
    output: asCount(fields["output_tokens"]),
    reasoning: asCount(fields["thinking_tokens"]),
  };
}
