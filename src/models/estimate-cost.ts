import { costAt } from "../agents/frame/estimate-cost.js";
import type { TokenCounts } from "../events/usage.js";
import { builtInModels } from "./built-in.js";
import { findPrice } from "./find-price.js";
import type { ModelLayers } from "./model-entry.js";

/**
 * What these tokens of a model probably cost in US dollars. Undefined when the model has no known price, or
 * when what was sent or generated was not reported.
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
  return price && costAt(tokens, price);
}
