import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { readSmallFile } from "../config/read-small-file.js";
import { HarnessError, problemOf } from "../errors.js";
import { parseRegistry, type Registry } from "./parse-registry.js";

type Environment = Readonly<Record<string, string | undefined>>;

/** How long a fetched registry counts as new. */
export const registryLifetimeMs = 24 * 60 * 60 * 1000;

/** Where the fetched registry is kept. By the XDG rules a relative path there is ignored. */
export function registryPath(env: Environment = process.env): string {
  const cache = env["XDG_CACHE_HOME"];
  const base = cache !== undefined && isAbsolute(cache) ? cache : join(env["HOME"] || homedir(), ".cache");
  return join(base, "harness", "models.toml");
}

/**
 * The registry that is kept, undefined when there is none. A file that cannot be used is an error; whoever
 * only wants to run an agent goes on without it.
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

/** Twice what is fetched at most: written out again, a registry can be longer. */
const maxRegistryBytes = 8 * 1024 * 1024;

/** True for a registry that was fetched from this URL less than a day ago. */
export function isFresh(registry: Registry, url: string, now: number = Date.now()): boolean {
  const age = now - Date.parse(registry.fetchedAt ?? "");
  return registry.fetchedFrom === url && age >= 0 && age < registryLifetimeMs;
}

/**
 * A registry counts only where its URL is the one in force, so that a project's registry stays in that
 * project. One that somebody put there by hand names no URL and counts everywhere.
 */
export function isInForce(registry: Registry, url: string | undefined): boolean {
  return registry.fetchedFrom === undefined || registry.fetchedFrom === url;
}
