import { findAgent } from "../agents/registry.js";
import type { Config } from "../config/load-config.js";
import { isProjectConfig } from "../config/locate-config.js";
import type { LoadedConfig } from "../config/read-config.js";
import { messageOf } from "../errors.js";
import { builtInModels } from "./built-in.js";
import { isInForce, readCachedRegistry, registryPath } from "./cached-registry.js";
import type { ModelEntry, ModelLayer, ModelLayers } from "./model-entry.js";
import type { Registry } from "./parse-registry.js";

export interface LoadedModels {
  layers: ModelLayers;
  registry: {
    /** Where it is or would be. */
    path: string;
    /** Where it is fetched from. */
    url?: string;
    /** What is there, in force or not. */
    found?: Registry;
    /** Why what is there cannot be used. Never a reason not to run an agent. */
    problem?: string;
  };
}

/** Every name for a model that counts here: project over user over fetched registry over built-in. */
export function loadModels(config: Config, env: NodeJS.ProcessEnv = process.env): LoadedModels {
  const registry = findRegistry(config, env);
  const { found, url, path } = registry;
  const fetched: ModelLayer[] =
    found !== undefined && isInForce(found, url)
      ? [{ from: "registry", place: path, models: found.models }]
      : [];
  return { layers: [...config.files.map(toLayer), ...fetched, builtInModels], registry };
}

function findRegistry(config: Config, env: NodeJS.ProcessEnv): LoadedModels["registry"] {
  const path = registryPath(env);
  const url = config.get("models_url")?.value;
  const place = { path, ...(url !== undefined && { url }) };
  try {
    const found = readCachedRegistry(path);
    return { ...place, ...(found !== undefined && { found }) };
  } catch (error) {
    return { ...place, problem: messageOf(error) };
  }
}

function toLayer(file: LoadedConfig): ModelLayer {
  const models = new Map<string, ModelEntry>();
  for (const [name, { description, provider, ...ids }] of Object.entries(file.values.models ?? {})) {
    models.set(name, {
      ...(description !== undefined && { description }),
      ...(provider !== undefined && { provider }),
      ids: new Map(Object.entries(ids).map(([agent, id]) => [findAgent(agent)?.id ?? agent, id])),
    });
  }
  const from = isProjectConfig(file.path) ? "project" : "user";
  return { from, place: file.path, models };
}
