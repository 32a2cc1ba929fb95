import type { RunState } from "../../events/run-state.js";
import { asCost } from "../../events/sound-numbers.js";
import { asCount } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import { countTokensOfWholeInput } from "../shared/tokens.js";

/**
 * The numbers of `complete` cover the whole session, including subagents. The input includes cached tokens. Versions before
 * May 2026 only have the total.
 */
export function setUsage(complete: JsonObject, isResumed: boolean, run: RunState, line: number): void {
  const counts = countTokensOfWholeInput({
    input: asCount(complete["input_tokens"]),
    cacheRead: asCount(complete["cache_read_input_tokens"]),
    cacheWrite: asCount(complete["cache_write_input_tokens"]),
    output: asCount(complete["output_tokens"]),
  });
  const totalTokens = counts.totalTokens ?? asCount(complete["total_tokens"]);
  const costUsd = asCost(complete["cost_usd"]);
  if (totalTokens === undefined) return;
  if (!isResumed) run.costUsd = costUsd;
  run.usage = {
    ...counts,
    totalTokens,
    scope: isResumed ? "session" : "run",
    line,
    ...(isResumed && { costUsd }),
  };
}
