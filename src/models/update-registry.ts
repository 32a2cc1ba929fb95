import { dirname } from "node:path";
import { HarnessError, messageOf } from "../errors.js";
import { makeDirectories } from "../runs/files/make-directories.js";
import { writeAtomically } from "../runs/files/write-atomically.js";
import { type FetchOptions, fetchRegistry } from "./fetch-registry.js";
import { parseRegistry, type Registry } from "./parse-registry.js";
import { registryToml } from "./registry-toml.js";

export interface UpdateOptions extends FetchOptions {
  url: string;
  /** The file to write. */
  path: string;
}

/**
 * Fetches the registry and saves it. The file is replaced atomically, and only by a valid registry: if anything fails, the
 * old one stays.
 */
export async function updateRegistry({ url, path, ...options }: UpdateOptions): Promise<Registry> {
  const text = await fetchRegistry(url, options);
  const { models } = parseRegistry(text, `the answer of ${new URL(url).host}`);
  const registry: Registry = { models, fetchedFrom: url, fetchedAt: new Date().toISOString() };
  try {
    makeDirectories(dirname(path));
    writeAtomically(path, registryToml(registry));
  } catch (error) {
    const message = `cannot write ${path}: ${messageOf(error)}`;
    throw new HarnessError("unwritable_registry", message, { cause: error });
  }
  return registry;
}
