import { loadConfig } from "../config/load-config.js";
import { checkText } from "../text/check-options.js";
import { loadModels } from "./load-models.js";
import type { ModelLayers } from "./model-entry.js";

/**
 * The names for models that count in a directory: those of its `harness.toml`, of the user's configuration, of
 * the fetched registry and the built-in ones. The registry that a project's `models_url` was fetched from counts
 * only where that file is trusted (`harness trust`), or with `trust: true`.
 *
 * @example
 * const { id } = resolveModel("opus", "opencode", modelsIn("."));
 * run({ agent: "opencode", model: id, prompt: "Fix the test" });
 */
export function modelsIn(directory: string, { trust }: { trust?: boolean | undefined } = {}): ModelLayers {
  return loadModels(loadConfig({ cwd: checkText(directory, "directory"), trust })).layers;
}
