import { asCost } from "../../../events/sound-numbers.js";
import type { TokenCounts } from "../../../events/usage.js";
import { asCount, asObject } from "../../../text/fields.js";
import type { JsonObject, JsonValue } from "../../../text/json.js";
import { addTokens, countTokens, type ReportedTokens } from "../tokens.js";

/** What is known about a run besides its results. */
export interface RunContext {
  isResumed: boolean;
  hasSubagents(): boolean;
}

export interface RunNumbers {
  usage?: TokenCounts & { scope: "run" | "session" };
  costUsd?: number | undefined;
}

/**
 * The tokens and the cost of a run, after each of its results.
 * - `usage` covers only the main thread since the result before it, and is all zero after a recovered cut. `modelUsage`
 *   and the cost include subagents and cover the whole run. The larger of the two is the total (2.1.197).
 * - In a resumed session `modelUsage` and the cost may include earlier runs (2.1.325, not 2.1.197).
 *   `model_usage_since_last_result` does not: the sum over all results is this run's own (2.1.325).
 */
export function createRunNumbers(context: RunContext): (result: JsonObject) => RunNumbers {
  let main: ReportedTokens | undefined;
  let own: ModelNumbers | undefined = { tokens: {}, costUsd: 0 };
  return (result) => {
    const last = tokensOfUsage(result["usage"]);
    main = last && main ? addTokens(main, last) : (last ?? main);
    const since = numbersOfModels(result["model_usage_since_last_result"]);
    own = own && since && addNumbers(own, since);
    return numbersOf({
      main: main && countTokens(main),
      all: numbersOfModels(result["modelUsage"]),
      own,
      costUsd: asCost(result["total_cost_usd"]),
      context,
    });
  };
}

/** What a result reports: of the main thread, of all models, and of all models since the result before. */
export interface Reported {
  main: TokenCounts | undefined;
  all: ModelNumbers | undefined;
  own: ModelNumbers | undefined;
  costUsd: number | undefined;
  context: RunContext;
}

export function numbersOf({ main, all, own, costUsd, context }: Reported): RunNumbers {
  const total = all && countTokens(all.tokens);
  const ownTotal = own && countTokens(own.tokens);
  if (own && ownTotal && isLess(ownTotal, total)) {
    // No model was asked: then only `usage` has counts, all of them 0.
    const isEmpty = ownTotal.totalTokens === undefined;
    const counts = isEmpty || isLess(ownTotal, main) ? main : ownTotal;
    return { ...(counts && { usage: { ...counts, scope: "run" } }), costUsd: own.costUsd };
  }
  if (total === undefined || (main !== undefined && !isLess(main, total)))
    return { ...(main && { usage: { ...main, scope: "run" } }), costUsd };
  if (!context.isResumed || !main?.totalTokens) return { usage: { ...total, scope: "run" }, costUsd };
  // The total is more than the main thread used. Without subagents, the rest is certainly that of earlier runs.
  return {
    usage: context.hasSubagents() ? { ...total, scope: "session" } : { ...main, scope: "run" },
  };
}

function isLess<T extends TokenCounts | undefined>(
  one: TokenCounts,
  other: T,
): other is Exclude<T, undefined> {
  return other !== undefined && (one.totalTokens ?? 0) < (other.totalTokens ?? 0);
}

/** The tokens and the cost of all models. */
export interface ModelNumbers {
  tokens: ReportedTokens;
  costUsd: number | undefined;
}

export function numbersOfModels(models: JsonValue | undefined): ModelNumbers | undefined {
  const fields = asObject(models);
  if (fields === undefined) return undefined;
  return Object.values(fields)
    .map((model) => ({ tokens: tokensOfModel(model), costUsd: asCost(asObject(model)?.["costUSD"]) }))
    .reduce(addNumbers, { tokens: {}, costUsd: 0 });
}

/** A cost is known only if that of every part is. */
export function addNumbers(a: ModelNumbers, b: ModelNumbers): ModelNumbers {
  const costUsd = a.costUsd === undefined || b.costUsd === undefined ? undefined : a.costUsd + b.costUsd;
  return { tokens: addTokens(a.tokens, b.tokens), costUsd };
}

/** The tokens of one request, as the API counts them at its end. */
export function tokensOfStep(usage: JsonValue | undefined): TokenCounts | undefined {
  const tokens = tokensOfUsage(usage);
  return tokens && countTokens(tokens);
}

export function tokensOfUsage(usage: JsonValue | undefined): ReportedTokens | undefined {
  const fields = asObject(usage);
  return (
    fields && {
      input: asCount(fields["input_tokens"]),
      cacheRead: asCount(fields["cache_read_input_tokens"]),
      cacheWrite: asCount(fields["cache_creation_input_tokens"]),
      output: asCount(fields["output_tokens"]),
      reasoning: asCount(asObject(fields["output_tokens_details"])?.["thinking_tokens"]),
    }
  );
}

function tokensOfModel(usage: JsonValue): ReportedTokens {
  const fields = asObject(usage) ?? {};
  return {
    input: asCount(fields["inputTokens"]),
    cacheRead: asCount(fields["cacheReadInputTokens"]),
    cacheWrite: asCount(fields["cacheCreationInputTokens"]),
    output: asCount(fields["outputTokens"]),
    reasoning: asCount(fields["thinkingTokens"]),
  };
}
