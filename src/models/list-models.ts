import type { Price } from "../events/price.js";
import { findPrice } from "./find-price.js";
import type { LayerName, ModelLayers } from "./model-entry.js";

/** One name, merged from all layers. */
export interface ListedModel {
  name: string;
  description?: string;
  provider?: string;
  /** By agent. */
  ids: Record<string, { id: string; from: LayerName }>;
}

/** Every name with an id for at least one agent, in the order of the layers. */
export function listModels(layers: ModelLayers): ListedModel[] {
  const listed = new Map<string, ListedModel>();
  for (const { from, models } of layers) {
    for (const [name, { description, provider, ids }] of models) {
      const model: ListedModel = listed.get(name.toLowerCase()) ?? { name, ids: {} };
      listed.set(name.toLowerCase(), model);
      if (description !== undefined) model.description ??= description;
      if (provider !== undefined) model.provider ??= provider;
      for (const [agent, id] of ids) model.ids[agent] ??= { id, from };
    }
  }
  return [...listed.values()].filter(({ ids }) => Object.keys(ids).length > 0);
}

/**
 * The price of a name: that of this agent's id, or else of another agent's id. An agent may use an id without a price,
 * such as the name of a model family (`opus`).
 */
export function priceOfName(
  { name, ids }: ListedModel,
  agent: string | undefined,
  layers: ModelLayers,
): Price | undefined {
  const own = agent === undefined ? undefined : ids[agent]?.id;
  const candidates = [...(own === undefined ? [] : [own]), name, ...Object.values(ids).map(({ id }) => id)];
  for (const id of candidates) {
    const price = findPrice(id, layers);
    if (price !== undefined) return price;
  }
  return undefined;
}
