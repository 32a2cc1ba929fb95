import { checkText } from "../check-options.js";
import { loadConfig } from "../config/load-config.js";
import { loadModels } from "./load-models.js";
import type { ModelLayers } from "./model-entry.js";

/**
 * The names for models that count in a directory: those of its `harness.toml`, of the user's configuration, of
 * the fetched registry and the built-in ones.
 *
 * @example
 * const { id } = resolveModel("opus", "opencode", modelsIn("."));
 * run({ agent: "opencode", model: id, prompt: "Fix the test" });
 */
export function modelsIn(directory: string): ModelLayers {
  return loadModels(loadConfig({ cwd: checkText(directory, "directory") })).layers;
}
