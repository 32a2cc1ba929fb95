import { asCost } from "../../events/sound-numbers.js";
import { asCount } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import type { Sink } from "../contract.js";
import { countTokensOfWholeInput } from "../shared/tokens.js";

/**
 * The numbers of `complete` cover the whole session, including subagents. The input includes cached tokens. The total may be
 * larger than its parts: with Gemini it includes thinking, which is in no other number. Versions before 1.35 (May 2026)
 * report only the total of the last request.
 */
export function setUsage(
  complete: JsonObject,
  about: { isResumed: boolean; hasSeveralSteps: boolean },
  out: Sink,
): void {
  const counts = countTokensOfWholeInput({
    input: asCount(complete["input_tokens"]),
    cacheRead: asCount(complete["cache_read_input_tokens"]),
    cacheWrite: asCount(complete["cache_write_input_tokens"]),
    output: asCount(complete["output_tokens"]),
  });
  const reported = asCount(complete["total_tokens"]);
  if (counts.totalTokens === undefined) return setLastStep(reported, about.hasSeveralSteps, out);
  const { isResumed } = about;
  const costUsd = asCost(complete["cost_usd"]);
  if (!isResumed) out.run.costUsd = costUsd;
  out.run.usage = {
    ...counts,
    totalTokens: Math.max(counts.totalTokens, reported ?? 0),
    scope: isResumed ? "session" : "run",
    line: out.lineNumber,
    ...(isResumed && { costUsd }),
  };
}

/** The last request is the whole run if it was the only one. */
function setLastStep(totalTokens: number | undefined, hasSeveralSteps: boolean, out: Sink): void {
  if (totalTokens === undefined) return;
  if (hasSeveralSteps) out.emit({ type: "usage", totalTokens, scope: "step" });
  else out.run.usage = { totalTokens, scope: "run", line: out.lineNumber };
}
