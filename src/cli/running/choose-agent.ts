import type { AgentDefinition } from "../../agents/definition.js";
import { agents } from "../../agents/registry.js";
import { type DeclaredAgent, declareAgent, resolveAgent } from "../../config/configured-agents.js";
import type { Config } from "../../config/load-config.js";
import { HarnessError } from "../../errors.js";
import { locateProgram } from "../../process/locate-program.js";

/** The agent from the flag, the configuration, or the only one that is installed. */
export async function chooseAgent(flag: string | undefined, config: Config): Promise<AgentDefinition> {
  const name = flag ?? config.get("default_agent")?.value;
  return name === undefined ? onlyInstalled() : resolveAgent(name, config);
}

/** The same without importing the module of an agent, if nothing is started. */
export function chooseDeclaredAgent(flag: string | undefined, config: Config): DeclaredAgent {
  const name = flag ?? config.get("default_agent")?.value;
  return name === undefined ? { agent: onlyInstalled() } : declareAgent(name, config);
}

function onlyInstalled(): AgentDefinition {
  const installed = agents.filter(isInstalled);
  const [only] = installed;
  if (only !== undefined && installed.length === 1) return only;
  if (only === undefined) {
    const names = agents.flatMap(({ id, binaries }) => (binaries.length === 0 ? [] : [id])).join(", ");
    const message = `no agent was named and none is installed; install one of ${names} (harness list says how), or see a recorded run with harness demo`;
    throw new HarnessError("no_agent", message);
  }
  const names = installed.map(({ id }) => id).join(", ");
  const message = `no agent was named and several are installed (${names}); choose one with --agent, or set default_agent in harness.toml`;
  throw new HarnessError("no_agent", message);
}

function isInstalled(agent: AgentDefinition): boolean {
  if (agent.binaries.length === 0) return false;
  const wanted = { agentName: agent.name, names: agent.binaries, install: agent.install };
  return "path" in locateProgram(wanted, { env: process.env, cwd: process.cwd() });
}
