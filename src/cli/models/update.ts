import type { Config } from "../../config/load-config.js";
import { projectConfigName, userConfigPath } from "../../config/locate-config.js";
import { HarnessError } from "../../errors.js";
import { type LoadedModels, loadModels } from "../../models/load-models.js";
import type { Registry } from "../../models/parse-registry.js";
import { updateRegistry } from "../../models/update-registry.js";
import { formatNumberOf } from "../../text/numbers.js";
import { complain } from "../complain.js";
import { readConfiguration } from "../configuration.js";
import { exitCodes } from "../exit-codes.js";
import { createOutput } from "../output.js";
import type { UpdateFlags } from "./command.js";

/**
 * Fetches the registry. The exit code is 0 even if the server cannot be reached, since being offline is not an error. It
 * is 1 if the answer is not a registry or cannot be written. In both cases the old registry stays.
 */
export async function updateModelsAction(flags: UpdateFlags): Promise<number> {
  const config = readConfiguration();
  const url = urlOf(config);
  const { registry } = loadModels(config);
  const { path } = registry;
  const output = createOutput(process.stdout);
  try {
    const { models } = await updateRegistry({ url, path, timeoutMs: flags.timeout });
    const report = { isUpdated: true, path, url, models: models.size };
    await (flags.json
      ? output.printJson(report)
      : output.print(`updated ${path} (${formatNumberOf(models.size, "name")})\n`));
    return exitCodes.success;
  } catch (error) {
    if (!(error instanceof HarnessError) || error.code === "bad_models_url") throw error;
    const { code, message } = error;
    if (flags.json) await output.printJson({ isUpdated: false, path, url, code, message });
    complain(`not updated: ${message}; ${whatStays(registry)}`);
    return code === "registry_unreachable" ? exitCodes.success : exitCodes.runFailed;
  }
}

function urlOf(config: Config): string {
  const url = config.get("models_url")?.value;
  if (url !== undefined) return url;
  throw new HarnessError(
    "no_models_url",
    `there is no models_url to fetch from; set it in ${projectConfigName} or ${userConfigPath()}. The built-in names work without it`,
  );
}

function whatStays({ found, url }: LoadedModels["registry"]): string {
  if (found === undefined || found.fetchedFrom !== url) return "the built-in names are used";
  return `the registry of ${ageOf(found)} stays in use`;
}

function ageOf({ fetchedAt }: Registry): string {
  return fetchedAt?.slice(0, 10) ?? "an earlier day";
}
