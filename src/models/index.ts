export { builtInModels } from "./built-in.js";
export { estimateCost } from "./estimate-cost.js";
export { type FindPrice, findPrice } from "./find-price.js";
export type { LayerName, ModelEntry, ModelLayer, ModelLayers } from "./model-entry.js";
export { modelsIn } from "./models-in.js";
export { type ResolvedModel, resolveModel } from "./resolve-model.js";
