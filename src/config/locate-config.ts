import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";

export const projectConfigName = "harness.toml";

/** The nearest `harness.toml`, looking from a directory upwards. */
export function findProjectConfig(directory: string): string | undefined {
  let folder = resolve(directory);
  for (;;) {
    const path = join(folder, projectConfigName);
    if (existsSync(path)) return path;
    const parent = dirname(folder);
    if (parent === folder) return undefined;
    folder = parent;
  }
}

/** The user's own file, whether it exists or not. */
export function userConfigPath(env: Readonly<Record<string, string | undefined>> = process.env): string {
  return join(env["XDG_CONFIG_HOME"] || join(env["HOME"] || homedir(), ".config"), "harness", "config.toml");
}
