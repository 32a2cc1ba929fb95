import type { AgentDefinition } from "./definition.js";
import type { Abilities } from "./live-contract.js";
import { type AgentId, requireAgent } from "./registry.js";

/**
 * What a live session with this agent can do. Undefined if there can be none: the agent has no live protocol and cannot resume
 * its sessions.
 */
export function sessionAbilities(agent: AgentId | AgentDefinition): Abilities | undefined {
  const { live, capabilities } = typeof agent === "string" ? requireAgent(agent) : agent;
  if (live !== undefined) return live.abilities;
  return capabilities.resume ? { ...oneProcessPerTurn, setModel: capabilities.model } : undefined;
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
