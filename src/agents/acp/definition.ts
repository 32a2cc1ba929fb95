import type { AgentDefinition } from "../definition.js";
import { acpLive } from "./live/protocol.js";

/**
 * Any program that speaks the Agent Client Protocol: `harness run --agent acp --prompt "…" -- PROGRAM ARGUMENTS…`, or an agent of the
 * configuration with `protocol = "acp"`.
 */
export const acp: AgentDefinition<"acp"> = {
  id: "acp",
  name: "ACP agent",
  aliases: ["agent-client-protocol"],
  /** No program is searched for. The first word behind `--` names it, or `--binary`. */
  binaries: [],
  version: { args: ["--version"], recorded: [] },
  install: "give the command of any agent that speaks ACP: -- PROGRAM ARGUMENTS…",
  docs: "https://agentclientprotocol.com",
  credentials: [],
  capabilities: {
    model: true,
    /** What the program may do in its modes is not known, so read-only cannot be requested. */
    readOnly: false,
    systemPrompt: false,
    appendSystemPrompt: false,
    maxTurns: false,
    maxBudgetUsd: false,
    resume: true,
  },
  traits: { isStreaming: true, isLiveOnly: true },
  launch: ({ extraArgs }) => ({ args: [...extraArgs] }),
  createMapping: acpLive.createMapping,
  live: acpLive,
};
