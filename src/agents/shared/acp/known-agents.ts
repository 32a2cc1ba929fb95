import type { AcpFacts } from "./dialect.js";

/** Claude's tools that start a subagent. */
const claudeAgents = { Agent: ["subagent_type"], Task: ["subagent_type"] };
const opencode: AcpFacts = {
  usage: "request",
  hasThoughtsApart: true,
  titleIsName: true,
  subagentTools: { task: ["subagent_type"] },
};

/**
 * How agents were seen to use what the protocol leaves open, by the name in their handshake. An agent that is not in the table
 * is read as the protocol says.
 */
const knownAgents: Readonly<Record<string, AcpFacts>> = {
  goose: {
    usage: "request",
    hasWholeInput: true,
    failsByExitCode: true,
    subagentTools: { delegate: ["source"] },
    hasBroadAlways: true,
  },
  "gemini-cli": {
    usage: "turn",
    hasWholeInput: true,
    searchTitle: /^'(?<pattern>.+?)'(?: in .+?)?(?: within (?<path>.+))?$/s,
    subagentTools: { invoke_agent: ["agent_name"] },
    hasBroadAlways: true,
  },
  "qwen-code": {
    usage: "none",
    hasWholeInput: true,
    subagentTools: { agent: ["subagent_type"] },
    unmarked: "texts",
    hasBroadAlways: true,
  },
  Copilot: { usage: "session", hasWholeInput: true, subagentTools: { task: ["name"] }, unmarked: "texts" },
  OpenCode: opencode,
  Kilo: opencode,
  cline: {
    usage: "none",
    failsByExitCode: true,
    output: "raw",
    titleIsName: "prefix",
    subagentTools: { spawn_agent: [] },
    unmarked: "all",
    hasBroadAlways: true,
  },
  "@agentclientprotocol/claude-agent-acp": {
    usage: "turn",
    failsByExitCode: true,
    output: "raw",
    subagentTools: claudeAgents,
  },
  "@agentclientprotocol/codex-acp": {
    usage: "turn",
    failsByExitCode: true,
    searchTitle: /^Search for '(?<pattern>.+)' in (?<path>.+)$/s,
  },
};

export function factsOf(agentName: string): AcpFacts {
  return Object.hasOwn(knownAgents, agentName) ? (knownAgents[agentName] ?? byProtocol) : byProtocol;
}

/** An agent about which nothing is known but the protocol. */
const byProtocol: AcpFacts = { usage: "turn" };
