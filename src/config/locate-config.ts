import { existsSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";

export const projectConfigName = "harness.toml";

/**
 * The nearest `harness.toml`, looking from a directory upwards. Links to the directory are followed first: what the file names
 * is then looked for from the same folder when it is trusted and when it is executed.
 */
export function findProjectConfig(directory: string): string | undefined {
  let folder = realFolder(resolve(directory));
  for (;;) {
    const path = join(folder, projectConfigName);
    if (existsSync(path)) return path;
    const parent = dirname(folder);
    if (parent === folder) return undefined;
    folder = parent;
  }
}

function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}

/** True for a project's file, which its folder brings along; the user's own has another name. */
export function isProjectConfig(path: string): boolean {
  return basename(path) === projectConfigName;
}

/**
 * The user's own file, whether it exists or not. By the XDG rules a relative path there is ignored: it would lead
 * into the directory one happens to be in.
 */
export function userConfigPath(env: Readonly<Record<string, string | undefined>> = process.env): string {
  const config = env["XDG_CONFIG_HOME"];
  const base =
    config !== undefined && isAbsolute(config) ? config : join(env["HOME"] || homedir(), ".config");
  return join(base, "harness", "config.toml");
}
