import { dirname, resolve } from "node:path";
import type { Permissions } from "../agents/definition.js";
import type { Config } from "./load-config.js";
import { isPath } from "./named-files.js";

/** What the configuration says about every run of an agent. What it does not say is undefined. */
export interface TaskSettings {
  permissions: Permissions | undefined;
  timeoutMs: number | undefined;
  binary: string | undefined;
  extraArgs: readonly string[];
  env: Readonly<Record<string, string>>;
}

/** The settings that a run begins with, wherever it is started; what is asked for goes over them. */
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

/** The program that the configuration names. A path is seen from the folder of the file that names it. */
export function binaryOf(agentId: string, config: Config): string | undefined {
  const binary = config.agent(agentId, "binary");
  if (binary === undefined || !isPath(binary.value)) return binary?.value;
  return resolve(dirname(binary.from.replace(/:\d+$/, "")), binary.value);
}
