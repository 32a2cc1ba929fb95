import { dirname, resolve } from "node:path";
import { defineAgent } from "../agents/define-agent.js";
import type { AgentDefinition } from "../agents/definition.js";
import { generic } from "../agents/generic/definition.js";
import { agents, findAgent } from "../agents/registry.js";
import { HarnessError } from "../errors.js";
import { suggestFrom } from "../text/suggest.js";
import { ownAgentsOf } from "./check-names.js";
import { type Config, fileOf } from "./load-config.js";
import { commandToTrust, describeState } from "./untrusted-file.js";

/**
 * The agent with this name: a custom one (`[agents.NAME]`), or else a built-in one. This imports and so executes the
 * agent's module, and is only for callers that run the agent or translate with it.
 */
export async function resolveAgent(name: string, config: Config): Promise<AgentDefinition> {
  const module = moduleOf(name, config);
  if (module === undefined) return declareAgent(name, config).agent;
  // Its code is not kept compiled (src/cli/code-cache.ts), since it imports what it is given. That of a run is.
  const { loadAgentModule } = await import("./load-agent-module.js");
  return loadAgentModule(name, module);
}

/** What is known about an agent without executing its module. */
export interface DeclaredAgent {
  /** For an agent with a module, a placeholder: its id is real, and every option is allowed. */
  agent: AgentDefinition;
  /** The module that defines it. */
  module?: string;
}

/** Like `resolveAgent`, without importing a module. */
export function declareAgent(name: string, config: Config): DeclaredAgent {
  const module = moduleOf(name, config);
  if (module !== undefined) return { agent: placeholderFor(name), module: module.path };
  // A protocol is the built-in agent that speaks it.
  const translator = config.agent(name, "translator") ?? config.agent(name, "protocol");
  if (translator !== undefined) return { agent: defineAgent({ id: name, translator: translator.value }) };
  const agent = findAgent(name);
  if (agent === undefined) throw unknownAgent(name, config);
  return { agent };
}

/** Throws if no agent has this name. Does not load the module of a custom agent. */
export function checkAgentName(name: string, config: Config): void {
  if (findAgent(name) === undefined && !ownAgentNames(config).includes(name))
    throw unknownAgent(name, config);
}

/** The names of the custom agents that the configuration defines. */
export function ownAgentNames(config: Config): string[] {
  return [...new Set(config.files.flatMap(ownAgentsOf))];
}

function moduleOf(name: string, config: Config): { path: string; from: string } | undefined {
  const module = config.agent(name, "module");
  if (module === undefined) return undefined;
  return { path: resolve(dirname(fileOf(module)), module.value), from: module.from };
}

function placeholderFor(id: string): AgentDefinition {
  return defineAgent({
    id,
    capabilities: {
      model: true,
      readOnly: true,
      systemPrompt: true,
      appendSystemPrompt: true,
      maxTurns: true,
      maxBudgetUsd: true,
      resume: true,
      mcpServers: true,
      effort: [],
      allowedTools: true,
      schema: true,
    },
    isolation: { variables: {}, credentials: [] },
    harmlessArguments: [/^/],
    launch: ({ extraArgs }) => ({ args: [...extraArgs] }),
    createMapping: generic.createMapping,
  });
}

function unknownAgent(name: string, config: Config): HarnessError {
  const { untrusted } = config;
  if (untrusted?.ownAgents.includes(name)) {
    const message = `the agent "${name}" cannot be used: ${describeState(untrusted)}, which defines it; to read and trust it: ${commandToTrust(untrusted.path)}`;
    return new HarnessError("untrusted_config", message);
  }
  const names = [...agents.map(({ id }) => id), ...ownAgentNames(config)];
  const message = `unknown agent "${name}"${suggestFrom(name, names, "known agents")}`;
  return new HarnessError("unknown_agent", message);
}
