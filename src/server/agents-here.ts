import { defaultPermissions } from "../agents/definition.js";
import { agents, findAgent } from "../agents/registry.js";
import { sessionAbilities } from "../agents/session-abilities.js";
import { type DeclaredAgent, declareAgent, ownAgentNames } from "../config/configured-agents.js";
import type { Config } from "../config/load-config.js";
import { binaryOf, permissionsOf } from "../config/task-settings.js";
import { describeUntrusted } from "../config/untrusted-file.js";
import { agentNames, chooseModel } from "../models/choose-model.js";
import { type ListedModel, listModels } from "../models/list-models.js";
import { loadModels } from "../models/load-models.js";
import type { ModelLayers } from "../models/model-entry.js";
import { locateProgram } from "../process/locate-program.js";
import type { AgentHere, AgentsHere } from "./protocol.js";

interface Models {
  layers: ModelLayers;
  listed: readonly ListedModel[];
}

/**
 * The agents that a run can be started with in a directory, and the defaults that it would get. No agent is started and no
 * module is loaded for that.
 */
export function findAgentsHere(config: Config, cwd: string): AgentsHere {
  const own = ownAgentNames(config).flatMap((name) => declared(name, config) ?? []);
  const all = [...agents.map((agent): DeclaredAgent => ({ agent })), ...own];
  const { layers } = loadModels(config);
  const models = { layers, listed: listModels(layers) };
  const chosen = config.get("default_agent")?.value;
  const configured = permissionsOf(config);
  return {
    agents: all.map((each) => describe(each, config, cwd, models)),
    cwd,
    // The page offers the two modes that need no answers. It must not propose more than the configuration does.
    permissions: (configured ?? defaultPermissions) === "full-access" ? "full-access" : "read-only",
    ...(configured !== undefined && {
      livePermissions: typeof configured === "string" ? configured : "rules",
    }),
    ...(chosen !== undefined && { agent: findAgent(chosen)?.id ?? chosen }),
    ...(config.untrusted !== undefined && { notice: describeUntrusted(config.untrusted) }),
  };
}

function declared(name: string, config: Config): DeclaredAgent | undefined {
  try {
    return declareAgent(name, config);
  } catch {
    return undefined;
  }
}

function describe(
  { agent }: DeclaredAgent,
  config: Config,
  cwd: string,
  { layers, listed }: Models,
): AgentHere {
  const { id, name, binaries, install, capabilities } = agent;
  const binary = binaryOf(id, config);
  const located = locateProgram(
    { agentName: name, names: binaries, binary, install },
    { env: process.env, cwd },
  );
  const isInstalled = "path" in located;
  const abilities = sessionAbilities(agent);
  const { model } = chooseModel(undefined, agent, config, layers);
  const names = agentNames(agent, config);
  return {
    id,
    name,
    isInstalled,
    ...(!isInstalled && { problem: located.failure.message }),
    install,
    capabilities,
    ...(abilities !== undefined && { live: { ask: abilities.ask } }),
    ...(model !== undefined && { model }),
    models: listed.flatMap((each) => (names.some((own) => own in each.ids) ? [each.name] : [])),
  };
}
