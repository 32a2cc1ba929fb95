import { dirname, resolve } from "node:path";
import type { Permissions } from "../agents/definition.js";
import { type Config, fileOf } from "./load-config.js";
import { isPath } from "./named-files.js";

/** What the configuration sets for every run of an agent. Undefined means not set. */
export interface TaskSettings {
  permissions: Permissions | undefined;
  timeoutMs: number | undefined;
  binary: string | undefined;
  extraArgs: readonly string[];
  env: Readonly<Record<string, string>>;
}

/** The defaults of a run, wherever it is started. Explicit options override them. */
export function taskSettings(agentId: string, config: Config): TaskSettings {
  const seconds = config.get("default_timeout_secs")?.value;
  return {
    permissions: config.get("default_permissions")?.value,
    timeoutMs: seconds === undefined ? undefined : seconds * 1000,
    binary: binaryOf(agentId, config),
    extraArgs: config.agent(agentId, "extra_args")?.value ?? [],
    env: config.agent(agentId, "env")?.value ?? {},
  };
}

/** The program that the configuration names. A path is relative to the directory of the file that names it. */
export function binaryOf(agentId: string, config: Config): string | undefined {
  const binary = config.agent(agentId, "binary");
  if (binary === undefined || !isPath(binary.value)) return binary?.value;
  return resolve(dirname(fileOf(binary)), binary.value);
}
