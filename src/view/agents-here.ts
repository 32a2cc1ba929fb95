import type { AgentDefinition } from "../agents/definition.js";
import { agents } from "../agents/registry.js";
import { ownAgentNames, resolveAgent } from "../config/configured-agents.js";
import type { Config } from "../config/load-config.js";
import { locateProgram } from "../process/locate-program.js";
import type { AgentHere } from "./protocol.js";

/** The agents that a run can be started with, and whether each is installed. None is started to find out. */
export async function findAgentsHere(config: Config, cwd: string): Promise<AgentHere[]> {
  const own = await Promise.all(
    ownAgentNames(config).map((name) => resolveAgent(name, config).catch(() => undefined)),
  );
  const all = [...agents, ...own.filter((agent) => agent !== undefined)];
  return all.map((agent) => describe(agent, config, cwd));
}

function describe(agent: AgentDefinition, config: Config, cwd: string): AgentHere {
  const { id, name, binaries, install, capabilities } = agent;
  const binary = config.agent(id, "binary")?.value;
  const located = locateProgram(
    { agentName: name, names: binaries, binary, install },
    { env: process.env, cwd },
  );
  const isInstalled = "path" in located;
  return {
    id,
    name,
    isInstalled,
    ...(!isInstalled && { problem: located.failure.message }),
    capabilities,
  };
}
