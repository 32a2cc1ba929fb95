import { checkText } from "../text/check-options.js";
import { didYouMean } from "../text/suggest.js";
import { builtInModels } from "./built-in.js";
import type { LayerName, ModelEntry, ModelLayer, ModelLayers } from "./model-entry.js";

/** What a name means to an agent. `id` is what to hand over in any case. */
export type ResolvedModel =
  /** A known name, with an id for this agent. */
  | { kind: "resolved"; name: string; id: string; from: LayerName; place?: string; description?: string }
  /** A known name without an id for this agent; `agents` have one. */
  | { kind: "no-mapping"; name: string; id: string; agents: string[] }
  /** Not a known name: probably the agent's own id. */
  | { kind: "passthrough"; name: string; id: string };

/**
 * Resolves a name for an agent. Each layer may say how some agents name a model; the strongest one that has
 * an id for this agent decides. `agents`: the agent's id, and for one that speaks another's language also
 * that other's. Without `layers`: the names that come with the package.
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

/** Names are told apart without regard to case: `Opus` is `opus`. */
function entriesNamed(layer: ModelLayer, name: string): { layer: ModelLayer; entry: ModelEntry }[] {
  const wanted = name.toLowerCase();
  return [...layer.models]
    .filter(([known]) => known.toLowerCase() === wanted)
    .map(([, entry]) => ({ layer, entry }));
}

/** `; did you mean "opus"?`, among the names that this agent has an id for. */
export function suggestModel(name: string, agents: readonly string[], layers: ModelLayers): string {
  const names = layers.flatMap(({ models }) =>
    [...models].filter(([, { ids }]) => agents.some((agent) => ids.has(agent))).map(([known]) => known),
  );
  return didYouMean(name, new Set(names));
}
