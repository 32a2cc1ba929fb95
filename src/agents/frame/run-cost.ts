import { costOfTokens, type ModelPrice } from "../../events/price.js";
import type { RunState } from "../../events/run-state.js";
import type { TranslatorOptions } from "../contract.js";

/** The estimated cost of a run, and the price that it was estimated with. */
export interface CostEstimate {
  costUsd: number;
  price: ModelPrice;
}

/**
 * Estimates the cost of a run whose agent reports none. The tokens must be those of exactly this run, and one model must
 * have used them all. `named` are the models that the agent reported.
 */
export function estimateRunCost(
  run: RunState,
  named: ReadonlySet<string>,
  options: TranslatorOptions,
): CostEstimate | undefined {
  const { usage } = run;
  if (usage?.scope !== "run" || (usage.costUsd ?? run.costUsd) !== undefined) return undefined;
  const price = priceOf(named, options);
  const costUsd = price && costOfTokens(usage, price);
  return costUsd === undefined || price === undefined ? undefined : { costUsd, price };
}

/**
 * The model that the agent reports counts. The requested model is used if the agent reports none, or only a display
 * name (`Opus 4.8 300K High`, Cursor).
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
    // `findPrice` may be the caller's own function. If it throws, the run must still end.
    return undefined;
  }
}
