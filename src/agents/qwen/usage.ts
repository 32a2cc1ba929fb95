import type { TokenCounts } from "../../events/usage.js";
import { asCount, asObject } from "../../text/fields.js";
import type { JsonValue } from "../../text/json.js";
import { countTokensOfWholeInput } from "../shared/tokens.js";

/** `usage` of a message or of the result. `input_tokens` includes what was read from a cache. */
export function qwenTokens(usage: JsonValue | undefined): TokenCounts | undefined {
  const fields = asObject(usage);
  return (
    fields &&
    countTokensOfWholeInput({
      input: asCount(fields["input_tokens"]),
      cacheRead: asCount(fields["cache_read_input_tokens"]),
      output: asCount(fields["output_tokens"]),
    })
  );
}
