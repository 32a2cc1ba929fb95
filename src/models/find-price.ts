import type { ModelPrice, Price } from "../events/price.js";
import { builtInModels } from "./built-in.js";
import type { ModelLayer, ModelLayers } from "./model-entry.js";

/** Finds the price of a model by its id. */
export type FindPrice = (model: string) => ModelPrice | undefined;

/** The price of a model by its id, as the vendor or any agent writes it. The first layer that knows it decides. */
export function findPrice(model: string, layers: ModelLayers): ModelPrice | undefined {
  for (const layer of layers) {
    const prices = pricesOf(layer);
    for (const key of keysOf(model)) {
      const price = prices.get(key);
      if (price !== undefined) return { model, ...price };
    }
  }
  return undefined;
}

/** Finds prices in the built-in models only. */
export const findBuiltInPrice: FindPrice = (model) => findPrice(model, [builtInModels]);

const indexes = new WeakMap<ModelLayer, ReadonlyMap<string, Price>>();

/** The prices of a layer by every known id. If two entries share an id, the first one wins. */
function pricesOf(layer: ModelLayer): ReadonlyMap<string, Price> {
  const known = indexes.get(layer);
  if (known !== undefined) return known;
  const prices = new Map<string, Price>();
  const add = (id: string, price: Price): void => {
    const key = plainId(id);
    if (!prices.has(key)) prices.set(key, price);
  };
  for (const [name, { price }] of layer.models) if (price !== undefined) add(name, price);
  for (const { price, ids } of layer.models.values())
    if (price !== undefined) for (const id of ids.values()) add(id, price);
  indexes.set(layer, prices);
  return prices;
}

/** The keys to try: the id itself, then without a date at its end, then without an effort level. */
function keysOf(model: string): string[] {
  const plain = plainId(model);
  const undated = plain.replace(/[-@]20\d{6}$/, "");
  return [plain, undated, undated.replace(effort, "")];
}

/** Effort changes the number of tokens, not their price. `-fast` does change it and is not listed. */
const effort = /(?:-thinking)?-(?:none|minimal|low|medium|high|xhigh|extra-high|max)(?:-thinking)?$/;

/**
 * Normalises an id by removing what does not change the price: the provider prefix, the context window in brackets, and
 * the difference between `4.8` and `4-8`. A suffix after `:` stays, because it may change the price (`:free`).
 */
function plainId(id: string): string {
  const own = id.slice(id.lastIndexOf("/") + 1).toLowerCase();
  const bracket = own.indexOf("[");
  const plain = bracket > 0 && !own.includes("fast=true") ? own.slice(0, bracket) : own;
  return plain.replaceAll(".", "-");
}
