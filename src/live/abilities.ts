import type { AgentDefinition } from "../agents/definition.js";
import type { Abilities } from "../agents/live-contract.js";
import { type AgentId, requireAgent } from "../agents/registry.js";
import { HarnessError } from "../errors.js";

/**
 * What a live session with this agent can do. Undefined if there can be none: the agent has no live protocol and cannot resume
 * its sessions.
 */
export function sessionAbilities(agent: AgentId | AgentDefinition): Abilities | undefined {
  const { live, capabilities } = typeof agent === "string" ? requireAgent(agent) : agent;
  if (live !== undefined) return live.abilities;
  return capabilities.resume ? { ...oneProcessPerTurn, setModel: capabilities.model } : undefined;
}

/** Throws if no session with this agent is possible. */
export function requireAbilities(agent: AgentDefinition): Abilities {
  const abilities = sessionAbilities(agent);
  if (abilities !== undefined) return abilities;
  const message = `${agent.name} cannot be talked with: it has no live protocol and cannot resume a session; use run()`;
  throw new HarnessError("unsupported_option", message);
}

/** As much as one-shot runs can do. */
const oneProcessPerTurn: Abilities = {
  ask: false,
  questions: false,
  steer: false,
  setModel: false,
  always: false,
  denyReason: false,
  changeInput: false,
  usage: "turn",
  cost: true,
  plan: true,
  resume: true,
};
