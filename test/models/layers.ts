import type { LayerName, ModelEntry, ModelLayer } from "../../src/models/model-entry.js";

/** Makes a layer from the ids of each name, by agent. */
export function layer(
  from: LayerName,
  models: Record<string, Record<string, string>>,
  rest: Partial<ModelEntry> = {},
): ModelLayer {
  const entries = Object.entries(models).map(([name, ids]): [string, ModelEntry] => [
    name,
    { ...rest, ids: new Map(Object.entries(ids)) },
  ]);
  return { from, models: new Map(entries) };
}
