import type { AgentDefinition } from "../agents/definition.js";
import type { ResolveArm } from "../batch/batch.js";
import type { Arm, BatchPlan } from "../batch/model/plan.js";
import { declareAgent, resolveAgent } from "../config/configured-agents.js";
import type { Config } from "../config/load-config.js";
import { refuseWeakening } from "../config/refuse-weakening.js";
import { permissionsOf, taskSettings, timeoutOf } from "../config/task-settings.js";
import { HarnessError } from "../errors.js";
import { chooseModel } from "../models/choose-model.js";
import { findPrice } from "../models/find-price.js";
import type { LoadedModels } from "../models/load-models.js";
import { refuseIdleRules } from "./refuse-idle-rules.js";

export interface ArmResolverOptions {
  config: Config;
  models: LoadedModels;
  /** The names of the agents that the arms have. */
  agents: Iterable<string>;
  /** False: nothing will run, so the modules of custom agents are not loaded. */
  isLoading: boolean;
  onWarning(sentence: string): void;
}

/** Finds the agents of arms as `harness run` does: with the configuration's agents, programs, arguments, models and prices. */
export async function createArmResolver(options: ArmResolverOptions): Promise<ResolveArm> {
  const { config, models, isLoading, onWarning } = options;
  const found = new Map<string, AgentDefinition | HarnessError>();
  for (const name of new Set(options.agents))
    found.set(name, await findAgentOrProblem(name, config, isLoading));
  const warned = new Set<string>();
  return (arm) => {
    const agent = found.get(arm.agent) ?? declareAgent(arm.agent, config).agent;
    if (agent instanceof HarnessError) throw agent;
    const { model, warnings } = chooseModel(arm.model, agent, config, models.layers);
    for (const warning of warnings) {
      if (!warned.has(warning)) onWarning(`warning: arm "${arm.id}": ${warning}`);
      warned.add(warning);
    }
    const settings = taskSettings(agent.id, config);
    refuseWeakening(agent, arm.permissions ?? "full-access", config);
    return {
      agent,
      model,
      binary: arm.binary ?? settings.binary,
      extraArgs: [...settings.extraArgs, ...(arm.extraArgs ?? [])],
      env: { ...settings.env, ...arm.env },
      findPrice: (id) => findPrice(id, models.layers),
    };
  };
}

/** The problem of an agent is reported for the arm that has it. */
async function findAgentOrProblem(
  name: string,
  config: Config,
  isLoading: boolean,
): Promise<AgentDefinition | HarnessError> {
  try {
    return isLoading ? await resolveAgent(name, config) : declareAgent(name, config).agent;
  } catch (error) {
    if (error instanceof HarnessError) return error;
    throw error;
  }
}

/** What the configuration sets for every run also counts for a plan that says nothing about it. */
export function withDefaults(plan: BatchPlan, config: Config): BatchPlan {
  const arms = plan.arms.map((arm) => withPermissions(arm, config));
  const timeoutMs = plan.timeoutMs ?? timeoutOf(config);
  return { ...plan, arms, ...(timeoutMs !== undefined && { timeoutMs }) };
}

const inBatch = {
  where: "a batch",
  advice: 'give the arm permissions that allow something, or "read-only" or "full-access"',
};

function withPermissions(arm: Arm, config: Config): Arm {
  const permissions = refuseIdleRules(arm.permissions ?? permissionsOf(config), inBatch);
  return permissions === undefined ? arm : { ...arm, permissions };
}
