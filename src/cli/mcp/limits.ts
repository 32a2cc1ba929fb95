import { statSync } from "node:fs";
import { resolve, sep } from "node:path";
import type { AgentDefinition, Permissions } from "../../agents/definition.js";
import { agents } from "../../agents/registry.js";
import {
  checkAgentName,
  type DeclaredAgent,
  declareAgent,
  ownAgentNames,
  resolveAgent,
} from "../../config/configured-agents.js";
import type { Config } from "../../config/load-config.js";
import { HarnessError } from "../../errors.js";
import { realPath } from "../../live/rules/real-path.js";
import type { PermissionRules } from "../../live/rules/rule.js";

/** What the server was started with. No run gets more, whatever the client asks for. */
export interface DelegationLimits {
  config: Config;
  /** The ids of the agents that may be run. Undefined: all. */
  agents: ReadonlySet<string> | undefined;
  /** Real paths. The first one is where runs work that name no directory. */
  directories: readonly [string, ...string[]];
  permissions: Permissions | PermissionRules;
  maxRuns: number;
  timeoutMs: number;
  maxBudgetUsd: number | undefined;
  /** How many runs may still be nested in each other below this server. */
  depthLeft: number;
}

/** The agent that a run asks for. */
export async function permittedAgent(name: string, limits: DelegationLimits): Promise<AgentDefinition> {
  checkAgentName(name, limits.config);
  const { id } = declareAgent(name, limits.config).agent;
  if (limits.agents !== undefined && !limits.agents.has(id))
    throw refused(
      `this server may not run ${id}; the agents that it may run are ${[...limits.agents].join(", ")}`,
    );
  return resolveAgent(name, limits.config);
}

/** Every agent that may be run. A module that defines one is not loaded for that. */
export function permittedAgents({ agents: allowed, config }: DelegationLimits): DeclaredAgent[] {
  const own = ownAgentNames(config).flatMap((name) => declareOrSkip(name, config));
  const all = [...agents.map((agent): DeclaredAgent => ({ agent })), ...own];
  return allowed === undefined ? all : all.filter(({ agent }) => allowed.has(agent.id));
}

function declareOrSkip(name: string, config: Config): DeclaredAgent[] {
  try {
    return [declareAgent(name, config)];
  } catch {
    // Invalid agents of the user's own are reported by `harness list`.
    return [];
  }
}

/** The directory that a run asks for: one of those that are allowed, or below one, links resolved. */
export function permittedDirectory(wanted: string | undefined, { directories }: DelegationLimits): string {
  const [first] = directories;
  if (wanted === undefined) return first;
  const path = realPath(resolve(first, wanted));
  const isInside =
    path !== undefined &&
    directories.some((each) => path === each || path.startsWith(each === sep ? each : `${each}${sep}`));
  if (!isInside)
    throw refused(
      `runs may not work in ${JSON.stringify(wanted)}; they may work in ${directories.join(", ")} and below`,
    );
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw refused(`${JSON.stringify(wanted)} is not a directory; create it first, or leave \`cwd\` out`);
  return path;
}

/** What a run may do: what it asks for, if the server was started with as much. */
export function permittedPermissions(
  wanted: Permissions | undefined,
  { permissions }: DelegationLimits,
): Permissions | PermissionRules {
  if (wanted === undefined || wanted === permissions) return permissions;
  if (typeof permissions === "object")
    throw refused(
      "this server has rules for what runs may do, and every run has them; leave `permissions` out",
    );
  if (wanted === "full-access")
    throw refused(
      "this server was started read-only, so its runs cannot have full access; leave `permissions` out, or ask the user to start harness mcp with --permissions full-access",
    );
  return wanted;
}

export function refused(message: string): HarnessError {
  return new HarnessError("not_permitted", message);
}
