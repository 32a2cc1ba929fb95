import type { AgentDefinition } from "../../agents/definition.js";
import { declareAgent } from "../../config/configured-agents.js";
import type { Config } from "../../config/load-config.js";
import { HarnessError } from "../../errors.js";
import type { Price } from "../../events/price.js";
import { agentNames, unmapped } from "../../models/choose-model.js";
import { findPrice } from "../../models/find-price.js";
import { listModels, priceOfName } from "../../models/list-models.js";
import { loadModels } from "../../models/load-models.js";
import type { ModelLayers } from "../../models/model-entry.js";
import { type ResolvedModel, resolveModel, suggestModel } from "../../models/resolve-model.js";
import { toVisibleLine } from "../../text/cut.js";
import { complain } from "../complain.js";
import { readConfiguration } from "../configuration.js";
import { createOutput } from "../output.js";
import type { ResolveFlags } from "./command.js";
import { describePrice } from "./describe-price.js";
import { warnOfRegistry } from "./warn-of-registry.js";

/** Prints the id on standard output, and what it means on standard error. An unknown name is not an error: it may be the agent's own. */
export async function resolveModelAction(name: string, flags: ResolveFlags): Promise<number> {
  if (name.trim() === "") throw new HarnessError("empty_model", "the name is empty; name a model");
  const config = readConfiguration();
  const agent = agentFor(flags.agent, config);
  const models = loadModels(config);
  const { layers } = models;
  const agents = agentNames(agent, config);
  const resolved = resolveModel(name, agents, layers);
  const price = priceOf(resolved, agents, layers);
  const output = createOutput(process.stdout);
  if (flags.json) {
    const report = { ...resolved, agent: agent.id, ...(price !== undefined && { price }) };
    await output.printJson(report);
    return 0;
  }
  await output.print(`${resolved.id}\n`);
  const suggestion = suggestModel(name, agents, layers);
  const sentence = `${explain(resolved, agent, suggestion)}${price === undefined ? "" : `; ${describePrice(price)}`}`;
  complain(toVisibleLine(sentence, 1000));
  warnOfRegistry(models);
  return 0;
}

function agentFor(flag: string | undefined, config: Config): AgentDefinition {
  const name = flag ?? config.get("default_agent")?.value;
  if (name === undefined)
    throw new HarnessError("no_agent", "the id depends on the agent; choose one with --agent");
  const { agent } = declareAgent(name, config);
  if (agent.capabilities.model) return agent;
  throw new HarnessError("unsupported_option", `${agent.name} cannot be given a model; choose another agent`);
}

function priceOf(resolved: ResolvedModel, agents: readonly string[], layers: ModelLayers): Price | undefined {
  const name = resolved.name.toLowerCase();
  const listed = listModels(layers).find((model) => model.name.toLowerCase() === name);
  if (resolved.kind !== "resolved" || listed === undefined) return findPrice(resolved.id, layers);
  return priceOfName(
    listed,
    agents.find((agent) => listed.ids[agent] !== undefined),
    layers,
  );
}

function explain(resolved: ResolvedModel, agent: AgentDefinition, suggestion: string): string {
  const { name, id } = resolved;
  if (resolved.kind === "passthrough")
    return `"${name}" is not a known name and is passed on to ${agent.name} unchanged${suggestion}`;
  if (resolved.kind === "no-mapping")
    return `warning: ${unmapped(resolved, agent)}; agents that have one: ${resolved.agents.join(", ")}`;
  const where = resolved.place === undefined ? "built in" : `${resolved.from}: ${resolved.place}`;
  const meaning = id === name ? `${agent.name}'s own name for it` : `"${id}" for ${agent.name}`;
  return `"${name}" is ${meaning} (${where})`;
}
