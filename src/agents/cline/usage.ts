import { asCost } from "../../events/sound-numbers.js";
import { asCount, asObject } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import type { Sink } from "../contract.js";
import { addTokens, countTokensOfWholeInput, type ReportedTokens } from "../shared/tokens.js";
import type { Author } from "./author.js";

/**
 * Tokens and cost. The input count includes tokens read from and written to a cache. Each `usage` event is one step of
 * the agent at work. The total of `run_result` includes the steps of teammates, but not those of `spawn_agent`
 * (3.0.65). Then the sum of the steps is right.
 */
export interface Usage {
  step(event: JsonObject, author: Author, out: Sink): void;
  /** `run_result` */
  total(record: JsonObject, out: Sink): void;
}

export function createUsage(): Usage {
  let tokens: ReportedTokens = {};
  let cost = 0;

  function report(counts: ReportedTokens, out: Sink): void {
    out.run.usage = { ...countTokensOfWholeInput(counts), scope: "run", line: out.lineNumber };
  }

  return {
    /** A cost of 0 may mean that the price is not known. A step does not say which it is. */
    step(event, { parentCallId }, out) {
      const step = tokensOf(event);
      const costUsd = positive(asCost(event["cost"]));
      tokens = addTokens(tokens, step);
      cost += costUsd ?? 0;
      report(tokens, out);
      out.run.costUsd = positive(cost);
      out.emit({ type: "usage", parentCallId, ...countTokensOfWholeInput(step), costUsd, scope: "step" });
    },
    total(record, out) {
      const usage = asObject(record["usage"]);
      if (usage === undefined) return;
      const reported = tokensOf(usage);
      const isIncomplete = (tokens.input ?? 0) > (reported.input ?? 0);
      report(larger(tokens, reported), out);
      out.run.costUsd =
        positive(isIncomplete ? cost : asCost(usage["totalCost"])) ?? (hasPrice(record) ? 0 : undefined);
    },
  };
}

function tokensOf(usage: JsonObject): ReportedTokens {
  return {
    input: asCount(usage["inputTokens"]),
    cacheRead: asCount(usage["cacheReadTokens"]),
    cacheWrite: asCount(usage["cacheWriteTokens"]),
    output: asCount(usage["outputTokens"]),
  };
}

function larger(a: ReportedTokens, b: ReportedTokens): ReportedTokens {
  return {
    input: max(a.input, b.input),
    cacheRead: max(a.cacheRead, b.cacheRead),
    cacheWrite: max(a.cacheWrite, b.cacheWrite),
    output: max(a.output, b.output),
  };
}

function max(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);
}

/** Without prices in `model.info` the reported cost is always 0, so it means nothing. */
function hasPrice(record: JsonObject): boolean {
  return asObject(asObject(asObject(record["model"])?.["info"])?.["pricing"]) !== undefined;
}

function positive(value: number | undefined): number | undefined {
  return value !== undefined && value > 0 ? value : undefined;
}
