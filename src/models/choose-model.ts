import type { AgentDefinition } from "../agents/definition.js";
import { findAgent } from "../agents/registry.js";
import type { Config } from "../config/load-config.js";
import { HarnessError } from "../errors.js";
import type { ModelLayers } from "./model-entry.js";
import { type ResolvedModel, resolveModel, suggestModel } from "./resolve-model.js";

export interface ChosenModel {
  /** The id to pass to the agent. Absent: the agent's own default. */
  model?: string;
  /** Sentences for the user. */
  warnings: string[];
}

/**
 * Chooses the model of a run: the flag, else `[agents.X] model`, else `default_model`, each resolved for the agent. If a
 * known name has no id for this agent, it is passed on unchanged with a warning, because the user asked for it. A
 * `default_model` without an id for this agent is ignored instead.
 */
export function chooseModel(
  flag: string | undefined,
  agent: AgentDefinition,
  config: Config,
  layers: ModelLayers,
): ChosenModel {
  if (flag?.trim() === "")
    throw new HarnessError("empty_model", "the model is empty; name a model, or omit --model");
  const agents = agentNames(agent, config);
  const asked = flag ?? config.agent(agent.id, "model")?.value;
  if (asked !== undefined) {
    const resolved = resolveModel(asked, agents, layers);
    // An agent that takes no model is refused later, when the run is planned. Warnings would only confuse.
    if (!agent.capabilities.model) return { model: resolved.id, warnings: [] };
    return { model: resolved.id, warnings: warningsOf(resolved, agent, agents, layers) };
  }
  const common = agent.capabilities.model ? config.get("default_model")?.value : undefined;
  if (common === undefined) return { warnings: [] };
  const resolved = resolveModel(common, agents, layers);
  if (resolved.kind !== "no-mapping") return { model: resolved.id, warnings: [] };
  const { name } = agent;
  const warning = `default_model "${common}" has no id for ${name}, so the agent's own default is used; ${remedy(resolved, agent)}`;
  return { warnings: [warning] };
}

function warningsOf(
  resolved: ResolvedModel,
  agent: AgentDefinition,
  agents: readonly string[],
  layers: ModelLayers,
): string[] {
  if (resolved.kind === "no-mapping") return [unmapped(resolved, agent)];
  if (resolved.kind === "resolved" || isVersioned.test(resolved.id) || isKnownId(resolved.id, layers))
    return [];
  const suggestion = suggestModel(resolved.name, agents, layers);
  if (suggestion === "") return [];
  return [
    `the model "${resolved.name}" is not a known name and is passed on to ${agent.name} unchanged${suggestion}`,
  ];
}

/** `gpt-5.1-codex` is an id, not a typo of `gpt-5.3-codex`. */
const isVersioned = /\d/;

function isKnownId(id: string, layers: ModelLayers): boolean {
  return layers.some(({ models }) =>
    [...models.values()].some(({ ids }) => [...ids.values()].some((known) => known === id)),
  );
}

/** The agent ids to look up models for: its own, and that of the built-in agent whose launcher it uses. */
export function agentNames(agent: AgentDefinition, config: Config): string[] {
  const base = findAgent(config.agent(agent.id, "translator")?.value ?? "");
  return base === undefined ? [agent.id] : [agent.id, base.id];
}

/** The warning for a name that is passed on unchanged, with what to do about it. */
export function unmapped(
  resolved: Extract<ResolvedModel, { kind: "no-mapping" }>,
  agent: AgentDefinition,
): string {
  return `the model "${resolved.name}" has no id for ${agent.name} and is passed on unchanged; ${remedy(resolved, agent)}`;
}

function remedy({ name }: ResolvedModel, { id }: AgentDefinition): string {
  return `"harness models list --agent ${id}" shows the names it has; [models.${key(name)}] ${key(id)} = "…" in harness.toml adds one`;
}

function key(name: string): string {
  return /^[\w-]+$/.test(name) ? name : JSON.stringify(name);
}
