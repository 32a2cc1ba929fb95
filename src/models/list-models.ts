import type { Price } from "../events/price.js";
import { findPrice } from "./find-price.js";
import type { LayerName, ModelLayers } from "./model-entry.js";

/** One name, and what all layers together say about it. */
export interface ListedModel {
  name: string;
  description?: string;
  provider?: string;
  /** By agent. */
  ids: Record<string, { id: string; from: LayerName }>;
}

/** Every name that some agent has an id for, the strongest layer's first. */
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
 * What a name costs: the price of the agent's id, else that of another agent's id for it, since an agent may
 * have a name of its own for a family (`opus`).
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
