import type { AgentDefinition } from "../../../agents/definition.js";
import { findAgent } from "../../../agents/registry.js";
import { ownAgentNames, resolveAgent } from "../../../config/configured-agents.js";
import { loadConfig } from "../../../config/load-config.js";
import { HarnessError } from "../../../errors.js";
import type { Session } from "../../../sessions/index.js";

/**
 * The agent of a recording: a built-in one, else one that the configuration here defines. A built-in agent's
 * recording never runs code of the directory one happens to be in.
 */
export async function findRecordedAgent({ meta }: Session): Promise<AgentDefinition | undefined> {
  const builtIn = findAgent(meta.agent);
  if (builtIn !== undefined) return builtIn;
  const config = loadConfig({ cwd: process.cwd() });
  return ownAgentNames(config).includes(meta.agent) ? resolveAgent(meta.agent, config) : undefined;
}

export async function requireRecordedAgent(session: Session): Promise<AgentDefinition> {
  const agent = await findRecordedAgent(session);
  if (agent !== undefined) return agent;
  const { id, meta } = session;
  const message = `${id} is a run of the agent "${meta.agent}", which is not known here; go to the directory whose harness.toml defines it (it ran in ${meta.cwd}), or take \`--format raw\``;
  throw new HarnessError("unknown_agent", message);
}
