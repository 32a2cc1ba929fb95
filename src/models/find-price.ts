import type { ModelPrice, Price } from "../events/price.js";
import { builtInModels } from "./built-in.js";
import type { ModelLayer, ModelLayers } from "./model-entry.js";

export type FindPrice = (model: string) => ModelPrice | undefined;

/** The price of the model with this id, as the vendor or any agent names it. The strongest layer decides. */
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

/** Prices by the built-in models alone. */
export const findBuiltInPrice: FindPrice = (model) => findPrice(model, [builtInModels]);

const indexes = new WeakMap<ModelLayer, ReadonlyMap<string, Price>>();

/** The prices of a layer by every id that they are known for. The first entry with an id has it. */
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

/** What to look for: the id itself, then without the date or the effort that it may end in. */
function keysOf(model: string): string[] {
  const plain = plainId(model);
  const undated = plain.replace(/[-@]20\d{6}$/, "");
  return [plain, undated, undated.replace(effort, "")];
}

/** Effort changes how many tokens are used, not what one costs. `-fast` does: it is not in here. */
const effort = /(?:-thinking)?-(?:none|minimal|low|medium|high|xhigh|extra-high|max)(?:-thinking)?$/;

/**
 * An id without what does not change the price: the provider before it, the context window behind it, and
 * the way versions are written. A suffix behind `:` stays, since it may (`:free`).
 */
function plainId(id: string): string {
  const own = id.slice(id.lastIndexOf("/") + 1).toLowerCase();
  const bracket = own.indexOf("[");
  const plain = bracket > 0 && !own.includes("fast=true") ? own.slice(0, bracket) : own;
  return plain.replaceAll(".", "-");
}
