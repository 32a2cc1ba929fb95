import { resolve } from "node:path";
import type { AgentDefinition, PermissionMode } from "../../agents/definition.js";
import { sessionAbilities } from "../../agents/session-abilities.js";
import { refuseWeakening } from "../../config/refuse-weakening.js";
import { taskSettings } from "../../config/task-settings.js";
import { parseRules } from "../../live/rules/parse-rules.js";
import { mergeRules, type PermissionRules } from "../../live/rules/rule.js";
import type { SessionTask } from "../../live/session-task.js";
import { agentNames, chooseModel } from "../../models/choose-model.js";
import { findPrice } from "../../models/find-price.js";
import { listModels } from "../../models/list-models.js";
import { loadModels } from "../../models/load-models.js";
import type { ModelLayers } from "../../models/model-entry.js";
import { complain } from "../complain.js";
import { readConfiguration } from "../configuration.js";
import { refuseIdleRules } from "../refuse-idle-rules.js";
import { chooseAgent } from "../running/choose-agent.js";
import { agentSessionOf, directoryOf, findResumed } from "../running/resumed-session.js";
import type { ChatFlags } from "./command.js";

export interface ChatPlan {
  task: SessionTask & { agent: AgentDefinition; cwd: string };
  /** The id of a model that people name, for this agent. Sentences about it are handed to `warn`. */
  resolveModel(name: string, warn: (sentence: string) => void): string;
  /** The names of models that have an id for this agent. */
  models: readonly string[];
  /** What the user should know before the first prompt. */
  notes: string[];
}

/** The session that the flags and the configuration ask for. A session is continued in its own directory. */
export async function planChat(
  flags: ChatFlags,
  { behindDashes, isUnattended }: { behindDashes: readonly string[]; isUnattended: boolean },
): Promise<ChatPlan> {
  const resumed = flags.resume === undefined ? undefined : await findResumed(flags.resume);
  const cwd = resolve(flags.cwd ?? (resumed && directoryOf(resumed)) ?? ".");
  const config = readConfiguration({ cwd, trust: flags.trust });
  const agent = await chooseAgent(flags.agent ?? resumed?.meta.agent, config);
  const models = loadModels(config);
  const settings = taskSettings(agent.id, config);
  const { model, warnings } = chooseModel(flags.model, agent, config, models.layers);
  for (const warning of warnings) complain(`warning: ${warning}`);
  const asked = askedPermissions(flags, settings.permissions);
  const permissions = asked ?? defaultOf(agent, isUnattended);
  if (isUnattended) refuseIdleRules(permissions, unattended);
  if (permissions !== undefined) refuseWeakening(agent, permissions, config);
  return {
    task: {
      agent,
      model,
      cwd,
      permissions,
      resume: resumed === undefined ? flags.resume : agentSessionOf(resumed, agent),
      binary: flags.binary === undefined ? settings.binary : fromHere(flags.binary),
      extraArgs: [...settings.extraArgs, ...behindDashes],
      env: { ...settings.env },
      redact: flags.redact,
      log: flags.log,
      findPrice: (id) => findPrice(id, models.layers),
    },
    resolveModel(name, warn) {
      const chosen = chooseModel(name, agent, config, models.layers);
      chosen.warnings.forEach(warn);
      return chosen.model ?? name;
    },
    models: namesFor(agentNames(agent, config), models.layers),
    notes: permissions === undefined ? [unasked(agent)] : [],
  };
}

function namesFor(agents: readonly string[], layers: ModelLayers): string[] {
  return listModels(layers)
    .filter(({ ids }) => agents.some((agent) => ids[agent] !== undefined))
    .map(({ name }) => name);
}

type Permissions = PermissionMode | PermissionRules;

/** What was asked for. Rules of the command line are added to those of the configuration. */
function askedPermissions(flags: ChatFlags, configured: Permissions | undefined): Permissions | undefined {
  const { permissions, allow = [], deny = [], ask = [] } = flags;
  if (permissions !== undefined) return permissions as PermissionMode;
  if (allow.length + deny.length + ask.length === 0) return configured;
  parseRules({ allow, deny, ask });
  const base = typeof configured === "object" ? [configured] : [];
  return mergeRules([...base, { allow, deny, ask }]);
}

/** Where somebody can answer, the agent asks. Undefined: it cannot, and has full access as in a run. */
function defaultOf(agent: AgentDefinition, isUnattended: boolean): Permissions | undefined {
  return !isUnattended && sessionAbilities(agent)?.ask ? "ask" : undefined;
}

function unasked({ name }: AgentDefinition): string {
  return `${name} does not ask here: it has full access, and changes files and runs commands by itself. --permissions read-only or rules limit it, where it can be limited.`;
}

const unattended = {
  where: "a chat without a terminal",
  advice: "add rules that allow (--allow read), or choose --permissions read-only or full-access",
};

/** A path is relative to the current directory, not to --cwd. A name is looked up on PATH. */
function fromHere(binary: string): string {
  return /[/\\]/.test(binary) ? resolve(binary) : binary;
}
