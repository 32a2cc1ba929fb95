import { costOfTokens } from "../events/price.js";
import type { TokenCounts } from "../events/usage.js";
import { builtInModels } from "./built-in.js";
import { findPrice } from "./find-price.js";
import type { ModelLayers } from "./model-entry.js";

/**
 * Estimates the cost of these tokens in US dollars. Undefined if the model's price is not known, or if the input or output
 * tokens are not.
 *
 * @example
 * estimateCost({ inputTokens: 1200, outputTokens: 300 }, "gpt-6.1-sol");
 */
export function estimateCost(
  tokens: TokenCounts,
  model: string,
  layers: ModelLayers = [builtInModels],
): number | undefined {
  const price = findPrice(model, layers);
  return price && costOfTokens(tokens, price);
}
