import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { type Environment, userDirectory } from "../runs/files/user-directory.js";

export const projectConfigName = "harness.toml";

/**
 * The nearest `harness.toml` in a directory or its parents. Symbolic links to the directory are resolved first, so that
 * relative paths in the file mean the same when it is trusted and when it is used.
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

/** True for a project's file. The user's own file has another name. */
export function isProjectConfig(path: string): boolean {
  return basename(path) === projectConfigName;
}

/** The path of the user's own file, whether it exists or not. */
export function userConfigPath(env: Environment = process.env): string {
  return join(userDirectory("config", env), "config.toml");
}
