import type { Price } from "../events/price.js";

/** What is known about one model, or about a name that stands for one. */
export interface ModelEntry {
  description?: string;
  provider?: string;
  /** The model's id for each agent, by agent id. */
  ids: ReadonlyMap<string, string>;
  price?: Price;
}

/** The sources of names, in order of precedence. */
export const layerNames = ["project", "user", "registry", "built-in"] as const;
/** Where a name of a model comes from. */
export type LayerName = (typeof layerNames)[number];

/** The models from one source. */
export interface ModelLayer {
  from: LayerName;
  /** The path of the file. The built-in layer has none. */
  place?: string;
  models: ReadonlyMap<string, ModelEntry>;
}

/** In order of precedence. */
export type ModelLayers = readonly ModelLayer[];
