import { asCost } from "../../events/sound-numbers.js";
import { asCount, asObject } from "../../text/fields.js";
import type { JsonValue } from "../../text/json.js";
import type { Sink } from "../contract.js";
import { addTokens, countTokens, type ReportedTokens } from "../shared/tokens.js";

export type AddUsage = (usage: JsonValue | undefined, out: Sink) => void;

/**
 * Adds up the usage of a run. Pi reports it per request: with each answer of the model and, in 1.4.0, with a tool's
 * result, a compaction and a request that keeps the cache warm. The input excludes cached tokens, and the output includes
 * reasoning. Answers of earlier runs of a session are not repeated.
 */
export function createUsage(): AddUsage {
  let total: ReportedTokens = {};
  let cost: number | undefined;

  return (value, out) => {
    const usage = asObject(value);
    if (usage === undefined) return;
    const step: ReportedTokens = {
      input: asCount(usage["input"]),
      cacheRead: asCount(usage["cacheRead"]),
      cacheWrite: asCount(usage["cacheWrite"]),
      output: asCount(usage["output"]),
      reasoning: asCount(usage["reasoning"]),
    };
    const stepCost = asCost(asObject(usage["cost"])?.["total"]);
    total = addTokens(total, step);
    if (stepCost !== undefined) cost = (cost ?? 0) + stepCost;
    out.run.usage = { ...countTokens(total), scope: "run", line: out.lineNumber };
    out.run.costUsd = cost;
    const counts = countTokens(step);
    if (counts.totalTokens) out.emit({ type: "usage", ...counts, costUsd: stepCost, scope: "step" });
  };
}
