import { asCost } from "../../events/sound-numbers.js";
import { asCount, asObject } from "../../text/fields.js";
import type { JsonValue } from "../../text/json.js";
import type { Sink } from "../contract.js";
import { addTokens, countTokens, type ReportedTokens } from "../shared/tokens.js";

/**
 * Adds up the usage of a run. Pi reports it per answer of the model. The input excludes cached tokens, and the output includes
 * reasoning. Answers of earlier runs of a session are not repeated.
 */
export function createUsage(): (usage: JsonValue | undefined, out: Sink) => void {
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
