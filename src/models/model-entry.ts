import type { Price } from "../events/price.js";

/** What is known of one model, or of one name for models. */
export interface ModelEntry {
  /** For people. */
  description?: string;
  provider?: string;
  /** How each agent wants it named, by the agent's id. */
  ids: ReadonlyMap<string, string>;
  price?: Price;
}

/** Where a name is known from, the strongest first. */
export const layerNames = ["project", "user", "registry", "built-in"] as const;
export type LayerName = (typeof layerNames)[number];

/** The models of one place. */
export interface ModelLayer {
  from: LayerName;
  /** The file, for people. The built-in layer has none. */
  place?: string;
  models: ReadonlyMap<string, ModelEntry>;
}

/** The strongest first. */
export type ModelLayers = readonly ModelLayer[];
