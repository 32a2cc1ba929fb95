import { findAgent } from "../agents/registry.js";
import { type Config, loadConfig } from "../config/load-config.js";
import { isProjectConfig } from "../config/locate-config.js";
import type { LoadedConfig } from "../config/read-config.js";
import { messageOf } from "../errors.js";
import { checkText } from "../text/check-options.js";
import { builtInModels } from "./built-in.js";
import { isInForce, readCachedRegistry, registryPath } from "./cached-registry.js";
import type { ModelEntry, ModelLayer, ModelLayers } from "./model-entry.js";
import type { Registry } from "./parse-registry.js";

export interface LoadedModels {
  layers: ModelLayers;
  registry: {
    /** Its path, whether it exists or not. */
    path: string;
    /** The configured URL. */
    url?: string;
    /** The registry at `path`, whether it applies here or not. */
    found?: Registry;
    /** Why the file cannot be used. This never prevents a run. */
    problem?: string;
  };
}

/** All model names that apply here, in order of precedence: project, user, fetched registry, built-in. */
export function loadModels(config: Config, env: NodeJS.ProcessEnv = process.env): LoadedModels {
  const registry = findRegistry(config, env);
  const { found, url, path } = registry;
  const fetched: ModelLayer[] =
    found !== undefined && isInForce(found, url)
      ? [{ from: "registry", place: path, models: found.models }]
      : [];
  return { layers: [...config.files.map(toLayer), ...fetched, builtInModels], registry };
}

/**
 * The model names that apply in a directory: those of its `harness.toml`, of the user's configuration, of the fetched
 * registry, and the built-in ones. A registry fetched from a project's `models_url` applies only if that file is trusted
 * (`harness trust`), or with `trust: true`.
 *
 * @example
 * const { id } = resolveModel("opus", "opencode", modelsIn("."));
 * run({ agent: "opencode", model: id, prompt: "Fix the test" });
 */
export function modelsIn(directory: string, { trust }: { trust?: boolean | undefined } = {}): ModelLayers {
  return loadModels(loadConfig({ cwd: checkText(directory, "directory"), trust })).layers;
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
