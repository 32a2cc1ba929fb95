import type { Price } from "../events/price.js";
import { agentIds } from "./agent-ids.js";
import { families, type ModelRow, modelRows, sources, type VendorName, vendors } from "./built-in-data.js";
import type { ModelEntry, ModelLayer } from "./model-entry.js";

/** The built-in models: first the families, then each model by its vendor's id. */
export const builtInModels: ModelLayer = { from: "built-in", models: createEntries() };

function createEntries(): ReadonlyMap<string, ModelEntry> {
  const byId = new Map<string, ModelEntry>();
  for (const vendor of vendorNames())
    for (const [id, row] of Object.entries(modelRows[vendor])) byId.set(id, toEntry(vendor, id, row));
  const byFamily = Object.entries(families).map(([name, family]): [string, ModelEntry] => {
    const model = byId.get(family.model);
    const ids = new Map([...(model?.ids ?? []), ...Object.entries(family.ids ?? {}), ...ownIdsOf(name)]);
    const { provider } = model ?? {};
    return [name, { description: family.description, ...(provider !== undefined && { provider }), ids }];
  });
  return new Map([...byFamily, ...byId]);
}

function vendorNames(): VendorName[] {
  return Object.keys(vendors) as VendorName[];
}

function toEntry(vendor: VendorName, id: string, row: ModelRow): ModelEntry {
  const ids = row.isPriceOnly ? new Map<string, string>() : idsOf(vendor, id, row);
  return {
    description: row.name,
    provider: vendor,
    ids,
    ...(row.price && { price: toPrice(row.price, vendor) }),
  };
}

function idsOf(vendor: VendorName, id: string, row: ModelRow): Map<string, string> {
  const { bare, prefixed } = vendors[vendor];
  const ids = new Map<string, string>([
    ...bare.map((agent): [string, string] => [agent, id]),
    ...prefixed.map((agent): [string, string] => [agent, `${vendor}/${id}`]),
    ...ownIdsOf(id),
    ...Object.entries(row.ids ?? {}),
  ]);
  for (const [agent, own] of ids) if (own === "") ids.delete(agent);
  return ids;
}

/** The ids of a model or a family in the agents' own lists. */
function ownIdsOf(name: string): [agent: string, id: string][] {
  return Object.entries(agentIds).flatMap(([agent, ids]): [string, string][] => {
    const id = Object.hasOwn(ids, name) ? ids[name] : undefined;
    return id === undefined ? [] : [[agent, id]];
  });
}

function toPrice(
  [input, output, cacheRead, cacheWrite]: NonNullable<ModelRow["price"]>,
  vendor: VendorName,
): Price {
  return {
    input,
    output,
    ...(cacheRead !== undefined && { cacheRead }),
    ...(cacheWrite !== undefined && { cacheWrite }),
    ...sources[vendors[vendor].prices],
  };
}
