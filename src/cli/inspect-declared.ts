import { existsSync } from "node:fs";
import type { Capabilities } from "../agents/definition.js";
import type { DeclaredAgent } from "../config/configured-agents.js";
import type { Config } from "../config/load-config.js";
import { binaryOf } from "../config/task-settings.js";
import { type AgentReport, inspectAgent } from "../process/inspect-agent.js";
import { type LocatedProgram, locateProgram } from "../process/locate-program.js";

/** What is known about an agent on this machine. */
export interface DeclaredReport extends Omit<AgentReport, "capabilities" | "canBeIsolated"> {
  capabilities?: Capabilities;
  canBeIsolated?: boolean;
  /** The module that defines it. It was not loaded, so the version, the capabilities and whether it can be isolated are not known. */
  module?: string;
}

/** Inspects an agent without loading the module that defines it. `binary` wins over the configured one. */
export async function inspectDeclared(
  { agent, module }: DeclaredAgent,
  config: Config,
  binary: string | undefined = binaryOf(agent.id, config),
): Promise<DeclaredReport> {
  if (module === undefined) return inspectAgent(agent, { binary });
  const { id, name, install, docs } = agent;
  const located = locate(agent, binary);
  const problem = existsSync(module)
    ? "failure" in located && located.failure.message
    : `${module}, which defines it, does not exist`;
  return {
    agent: id,
    name,
    module,
    isInstalled: problem === false,
    ...("path" in located && { binary: located.path }),
    ...(problem !== false && { problem }),
    recordedVersions: [],
    credentials: {},
    install,
    docs,
  };
}

/** Where its program is. Undefined if that, or the module that defines the agent, is not there. Nothing is started. */
export function findDeclared({ agent, module }: DeclaredAgent, config: Config): string | undefined {
  const located = locate(agent, binaryOf(agent.id, config));
  return "path" in located && (module === undefined || existsSync(module)) ? located.path : undefined;
}

function locate(
  { name, binaries, install }: DeclaredAgent["agent"],
  binary: string | undefined,
): LocatedProgram {
  const search = { env: process.env, cwd: process.cwd() };
  return locateProgram({ agentName: name, names: binaries, binary, install }, search);
}
