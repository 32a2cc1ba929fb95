import { dirname, resolve } from "node:path";
import type { PermissionMode } from "../agents/definition.js";
import { type PermissionRules, toReadOnly } from "../live/rules/rule.js";
import { parseDuration } from "../text/duration.js";
import { type Config, fileOf } from "./load-config.js";
import { isPath } from "./named-files.js";

/** What the configuration sets for every run of an agent. Undefined means not set. */
export interface TaskSettings {
  permissions: PermissionMode | PermissionRules | undefined;
  timeoutMs: number | undefined;
  binary: string | undefined;
  extraArgs: readonly string[];
  env: Readonly<Record<string, string>>;
}

/** The defaults of a run, wherever it is started. Explicit options override them. */
export function taskSettings(agentId: string, config: Config): TaskSettings {
  return {
    permissions: permissionsOf(config),
    timeoutMs: timeoutOf(config),
    binary: binaryOf(agentId, config),
    extraArgs: config.agent(agentId, "extra_args")?.value ?? [],
    env: config.agent(agentId, "env")?.value ?? {},
  };
}

/** How long a run may take, in milliseconds: as the first file says that has either of the two keys. */
export function timeoutOf({ files }: Config): number | undefined {
  for (const { values } of files) {
    const { default_timeout: given, default_timeout_secs: seconds } = values;
    if (given !== undefined) return parseDuration(given);
    if (seconds !== undefined) return seconds * 1000;
  }
  return undefined;
}

/**
 * Rules count whatever `default_permissions` says: beside `full-access` they are what is meant, and beside `read-only` they
 * allow nothing but reading.
 */
export function permissionsOf(config: Config): PermissionMode | PermissionRules | undefined {
  const mode = config.get("default_permissions")?.value;
  const rules = config.rules();
  if (rules === undefined) return mode;
  if (areNone(rules)) return mode === "read-only" ? mode : "ask";
  return mode === "read-only" ? toReadOnly(rules) : rules;
}

/** The only rules of an untrusted file may be those that allow, which do not count. */
function areNone({ allow = [], deny = [], ask = [] }: PermissionRules): boolean {
  return allow.length + deny.length + ask.length === 0;
}

/** The program that the configuration names. A path is relative to the directory of the file that names it. */
export function binaryOf(agentId: string, config: Config): string | undefined {
  const binary = config.agent(agentId, "binary");
  if (binary === undefined || !isPath(binary.value)) return binary?.value;
  return resolve(dirname(fileOf(binary)), binary.value);
}
