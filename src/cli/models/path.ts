import { isFresh, isInForce } from "../../models/cached-registry.js";
import { nameOf } from "../../models/fetch-registry.js";
import { type LoadedModels, loadModels } from "../../models/load-models.js";
import { formatNumberOf } from "../../text/numbers.js";
import { complain } from "../complain.js";
import { readConfiguration } from "../configuration.js";
import { createOutput } from "../output.js";
import type { PathFlags } from "./command.js";

/** Prints the path on standard output, and what is there on standard error. */
export async function modelsPathAction(flags: PathFlags): Promise<number> {
  const { registry } = loadModels(readConfiguration());
  const { path, url, found, problem } = registry;
  const output = createOutput(process.stdout);
  if (!flags.json) {
    await output.print(`${path}\n`);
    complain(describe(registry));
    return 0;
  }
  const report = {
    path,
    ...(url !== undefined && { url }),
    exists: found !== undefined || problem !== undefined,
    isInUse: found !== undefined && isInForce(found, url),
    isFresh: found !== undefined && url !== undefined && isFresh(found, url),
    ...(found !== undefined && { models: found.models.size }),
    ...(found?.fetchedFrom !== undefined && { fetchedFrom: found.fetchedFrom }),
    ...(found?.fetchedAt !== undefined && { fetchedAt: found.fetchedAt }),
    ...(problem !== undefined && { problem }),
  };
  await output.printJson(report);
  return 0;
}

function describe({ found, problem, url }: LoadedModels["registry"]): string {
  if (problem !== undefined) return `not in use: ${problem}`;
  if (found === undefined)
    return url === undefined
      ? "there is no registry, and no models_url to fetch one from; the built-in names are used"
      : 'there is no registry yet; "harness models update" fetches it';
  const source = found.fetchedFrom === undefined ? undefined : addressOf(found.fetchedFrom);
  if (!isInForce(found, url))
    return `not in use here: it was fetched from ${source}, which is not the models_url in force`;
  const names = formatNumberOf(found.models.size, "name");
  if (source === undefined) return `in use: ${names}, put there by hand`;
  const age = url !== undefined && isFresh(found, url) ? "" : ", more than a day ago";
  return `in use: ${names}, fetched from ${source} at ${found.fetchedAt ?? "an unknown time"}${age}`;
}

function addressOf(address: string): string {
  return URL.canParse(address) ? nameOf(new URL(address)) : address;
}
