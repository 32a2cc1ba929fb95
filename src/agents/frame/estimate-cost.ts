import type { ModelPrice, Price } from "../../events/price.js";
import type { RunState } from "../../events/run-state.js";
import type { TokenCounts } from "../../events/usage.js";
import type { TranslatorOptions } from "../contract.js";

/** What a run probably cost, and by which price. */
export interface CostEstimate {
  costUsd: number;
  price: ModelPrice;
}

/**
 * The cost of a run whose agent reports none. Only for the tokens of exactly this run, and only when one model
 * used them: `named` are the models that the agent reported.
 */
export function estimateRunCost(
  run: RunState,
  named: ReadonlySet<string>,
  options: TranslatorOptions,
): CostEstimate | undefined {
  const { usage } = run;
  if (usage?.scope !== "run" || (usage.costUsd ?? run.costUsd) !== undefined) return undefined;
  const price = priceOf(named, options);
  const costUsd = price && costAt(usage, price);
  return costUsd === undefined || price === undefined ? undefined : { costUsd, price };
}

/**
 * What the agent says counts. The model that was asked for is used when it says nothing, or says a name for
 * people (`Opus 4.8 300K High`, Cursor).
 */
function priceOf(
  named: ReadonlySet<string>,
  { findPrice, model }: TranslatorOptions,
): ModelPrice | undefined {
  if (findPrice === undefined || named.size > 1) return undefined;
  const [name] = named;
  try {
    const price = name === undefined ? undefined : findPrice(name);
    if (price !== undefined || model === undefined) return price;
    return name === undefined || /\s/.test(name) ? findPrice(model) : undefined;
  } catch {
    // A list of prices from outside cannot keep a run from ending.
    return undefined;
  }
}

/** The price of these tokens in US dollars; undefined when what was sent or generated was not reported. */
export function costAt(tokens: TokenCounts, price: Price): number | undefined {
  const { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 } = tokens;
  if (inputTokens === undefined || outputTokens === undefined) return undefined;
  const millionths =
    inputTokens * price.input +
    cacheReadTokens * (price.cacheRead ?? price.input) +
    cacheWriteTokens * (price.cacheWrite ?? price.input) +
    outputTokens * price.output;
  // Prices have a few decimals; binary fractions add noise, which is rounded away.
  return Number((millionths / 1e6).toFixed(12));
}
