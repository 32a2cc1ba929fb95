import { join } from "node:path";
import { readSmallFile } from "../config/read-small-file.js";
import { HarnessError, problemOf } from "../errors.js";
import { type Environment, userDirectory } from "../runs/files/user-directory.js";
import { parseRegistry, type Registry } from "./parse-registry.js";

/** After this time, the registry is fetched again. */
export const registryLifetimeMs = 24 * 60 * 60 * 1000;

/** The path of the fetched registry. */
export function registryPath(env: Environment = process.env): string {
  return join(userDirectory("cache", env), "models.toml");
}

/**
 * Reads the fetched registry. Undefined if there is none. Throws if the file cannot be used; callers that only run an
 * agent continue without it.
 */
export function readCachedRegistry(path: string): Registry | undefined {
  let bytes: Buffer | undefined;
  try {
    bytes = readSmallFile(path, maxRegistryBytes);
  } catch (error) {
    throw new HarnessError("unreadable_registry", `cannot read ${path}: ${problemOf(error)}`, {
      cause: error,
    });
  }
  return bytes === undefined ? undefined : parseRegistry(bytes.toString("utf8"), path);
}

/** Twice the limit for fetching, because our own TOML can be longer than the original. */
const maxRegistryBytes = 8 * 1024 * 1024;

/** True if the registry was fetched from this URL less than a day ago. */
export function isFresh(registry: Registry, url: string, now: number = Date.now()): boolean {
  const age = now - Date.parse(registry.fetchedAt ?? "");
  return registry.fetchedFrom === url && age >= 0 && age < registryLifetimeMs;
}

/**
 * A registry applies only where its URL is the configured one, so that a project's registry stays in that project. A
 * registry that was put there by hand has no URL and applies everywhere.
 */
export function isInForce(registry: Registry, url: string | undefined): boolean {
  return registry.fetchedFrom === undefined || registry.fetchedFrom === url;
}
