import type { AgentDefinition } from "../agents/definition.js";
import { findAgent } from "../agents/registry.js";
import type { Config } from "../config/load-config.js";
import { HarnessError } from "../errors.js";
import type { ModelLayers } from "./model-entry.js";
import { type ResolvedModel, resolveModel, suggestModel } from "./resolve-model.js";

export interface ChosenModel {
  /** What to hand to the agent. Absent: its own choice. */
  model?: string;
  /** Sentences for the user. */
  warnings: string[];
}

/**
 * The model of a run: the flag, else `[agents.X] model`, else `default_model`, each resolved for the agent. A
 * known name without an id for this agent is handed over as it is, with a warning, since somebody asked for
 * it. The default of all agents was not meant for one that cannot have it: that is left out.
 */
export function chooseModel(
  flag: string | undefined,
  agent: AgentDefinition,
  config: Config,
  layers: ModelLayers,
): ChosenModel {
  if (flag?.trim() === "")
    throw new HarnessError("empty_model", "the model is empty; name one, or leave --model out");
  const agents = agentNames(agent, config);
  const asked = flag ?? config.agent(agent.id, "model")?.value;
  if (asked !== undefined) {
    const resolved = resolveModel(asked, agents, layers);
    // An agent that takes no model is refused by the plan of its run; what its id would be is beside the point.
    if (!agent.capabilities.model) return { model: resolved.id, warnings: [] };
    return { model: resolved.id, warnings: warningsOf(resolved, agent, agents, layers) };
  }
  const common = agent.capabilities.model ? config.get("default_model")?.value : undefined;
  if (common === undefined) return { warnings: [] };
  const resolved = resolveModel(common, agents, layers);
  if (resolved.kind !== "no-mapping") return { model: resolved.id, warnings: [] };
  const { name } = agent;
  const warning = `default_model "${common}" has no id for ${name}, which uses its own default; ${remedy(resolved, agent)}`;
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
    `the model "${resolved.name}" is not a known name and is passed on to ${agent.name} as it is${suggestion}`,
  ];
}

/** `gpt-5.1-codex` is an id, and no typo of `gpt-5.3-codex`. */
const isVersioned = /\d/;

function isKnownId(id: string, layers: ModelLayers): boolean {
  return layers.some(({ models }) =>
    [...models.values()].some(({ ids }) => [...ids.values()].some((known) => known === id)),
  );
}

/** The names that an agent's ids are known under: its own, and that of the agent whose launcher it uses. */
export function agentNames(agent: AgentDefinition, config: Config): string[] {
  const base = findAgent(config.agent(agent.id, "translator")?.value ?? "");
  return base === undefined ? [agent.id] : [agent.id, base.id];
}

/** For people: why a name is handed over as it is, and what to do about it. */
export function unmapped(
  resolved: Extract<ResolvedModel, { kind: "no-mapping" }>,
  agent: AgentDefinition,
): string {
  return `the model "${resolved.name}" has no id for ${agent.name} and is passed on as it is; ${remedy(resolved, agent)}`;
}

function remedy({ name }: ResolvedModel, { id }: AgentDefinition): string {
  return `"harness models list --agent ${id}" shows the names it has, [models.${key(name)}] ${key(id)} = "…" in harness.toml adds one`;
}

function key(name: string): string {
  return /^[\w-]+$/.test(name) ? name : JSON.stringify(name);
}
