import { asCost } from "../../../events/sound-numbers.js";
import { asCount, asObject } from "../../../text/fields.js";
import type { JsonObject, JsonValue } from "../../../text/json.js";
import type { Sink } from "../../contract.js";
import { addTokens, countTokens, type ReportedTokens } from "../tokens.js";

/** Reads the end of a step. `parentCallId`: it is a step of a subagent, which counts as well. */
export type Usage = (step: JsonObject, out: Sink, parentCallId?: string | undefined) => void;

/**
 * Each `step_finish` has the tokens and the cost of its own request. The run's usage is their sum, also if it continues a
 * session. A one-shot run does not print the usage of subagents.
 */
export function createUsage(): Usage {
  let total: ReportedTokens = {};
  let costUsd: number | undefined;

  return (step, out, parentCallId) => {
    const tokens = tokensOf(step["tokens"]);
    const cost = asCost(step["cost"]);
    if (tokens === undefined && cost === undefined) return out.consume("step_finish: without usage");
    total = addTokens(total, tokens ?? {});
    costUsd = cost === undefined ? costUsd : addCosts(costUsd ?? 0, cost);
    out.run.usage = { ...countTokens(total), scope: "run", line: out.lineNumber };
    out.run.costUsd = costUsd;
    out.emit({ type: "usage", parentCallId, ...countTokens(tokens ?? {}), costUsd: cost, scope: "step" });
  };
}

/** Cached tokens are not part of the input, and reasoning is not part of the output (1.18.33). */
function tokensOf(value: JsonValue | undefined): ReportedTokens | undefined {
  const tokens = asObject(value);
  if (tokens === undefined) return undefined;
  const cache = asObject(tokens["cache"]);
  const output = asCount(tokens["output"]);
  const reasoning = asCount(tokens["reasoning"]);
  return {
    input: asCount(tokens["input"]),
    cacheRead: asCount(cache?.["read"]),
    cacheWrite: asCount(cache?.["write"]),
    output: output === undefined ? undefined : output + (reasoning ?? 0),
    reasoning,
  };
}

/** Costs have a few decimals; binary fractions add noise, which is rounded away. */
function addCosts(a: number, b: number): number {
  return Number((a + b).toFixed(12));
}
