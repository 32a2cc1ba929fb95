import { checkText } from "../text/check-options.js";
import { didYouMean } from "../text/suggest.js";
import { builtInModels } from "./built-in.js";
import type { LayerName, ModelEntry, ModelLayer, ModelLayers } from "./model-entry.js";

/** What a name means to an agent. `id` is the value to pass to the agent in every case. */
export type ResolvedModel =
  /** A known name, with an id for this agent. */
  | { kind: "resolved"; name: string; id: string; from: LayerName; place?: string; description?: string }
  /** A known name without an id for this agent. `agents` are those that have one. */
  | { kind: "no-mapping"; name: string; id: string; agents: string[] }
  /** Not a known name, so it is probably the agent's own id. */
  | { kind: "passthrough"; name: string; id: string };

/**
 * Resolves a name for an agent. The first layer with an id for this agent decides. `agents` is the agent's id, followed by
 * the id of the built-in agent that a custom agent is based on. Without `layers`, only the built-in names are known.
 */
export function resolveModel(
  name: string,
  agents: string | readonly string[],
  layers: ModelLayers = [builtInModels],
): ResolvedModel {
  const known = layers.flatMap((layer) => entriesNamed(layer, checkText(name, "name")));
  for (const agent of typeof agents === "string" ? [agents] : agents) {
    for (const { layer, entry } of known) {
      const id = entry.ids.get(agent);
      if (id === undefined) continue;
      const { from, place } = layer;
      const description =
        entry.description ?? known.find((other) => other.entry.description)?.entry.description;
      return {
        kind: "resolved",
        name,
        id,
        from,
        ...(place !== undefined && { place }),
        ...(description !== undefined && { description }),
      };
    }
  }
  const having = new Set(known.flatMap(({ entry }) => [...entry.ids.keys()]));
  if (having.size === 0) return { kind: "passthrough", name, id: name };
  return { kind: "no-mapping", name, id: name, agents: [...having] };
}

/** Names are case-insensitive: `Opus` is `opus`. */
function entriesNamed(layer: ModelLayer, name: string): { layer: ModelLayer; entry: ModelEntry }[] {
  const wanted = name.toLowerCase();
  return [...layer.models]
    .filter(([known]) => known.toLowerCase() === wanted)
    .map(([, entry]) => ({ layer, entry }));
}

/** `; did you mean "opus"?`, for names with an id for this agent. */
export function suggestModel(name: string, agents: readonly string[], layers: ModelLayers): string {
  const names = layers.flatMap(({ models }) =>
    [...models].filter(([, { ids }]) => agents.some((agent) => ids.has(agent))).map(([known]) => known),
  );
  return didYouMean(name, new Set(names));
}
