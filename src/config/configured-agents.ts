import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type AgentInput, defineAgent } from "../agents/define-agent.js";
import type { AgentDefinition } from "../agents/definition.js";
import { agents, findAgent } from "../agents/registry.js";
import { HarnessError, messageOf } from "../errors.js";
import { suggestFrom } from "../suggest.js";
import { ownAgentsOf } from "./check-names.js";
import type { Config } from "./load-config.js";

/** The agent with this name: one of the user's own (`[agents.NAME]`), else a built-in one. */
export async function resolveAgent(name: string, config: Config): Promise<AgentDefinition> {
  const agent = (await loadOwnAgent(name, config)) ?? findAgent(name);
  if (agent === undefined) throw unknownAgent(name, config);
  return agent;
}

/** Refuses a name that no agent has. An agent of the user's own is not loaded for it. */
export function checkAgentName(name: string, config: Config): void {
  if (findAgent(name) === undefined && !ownAgentNames(config).includes(name))
    throw unknownAgent(name, config);
}

/** Names of the agents that the configuration defines. */
export function ownAgentNames(config: Config): string[] {
  return [...new Set(config.files.flatMap(ownAgentsOf))];
}

function unknownAgent(name: string, config: Config): HarnessError {
  const names = [...agents.map(({ id }) => id), ...ownAgentNames(config)];
  const message = `unknown agent "${name}"${suggestFrom(name, names, "known agents")}`;
  return new HarnessError("unknown_agent", message);
}

async function loadOwnAgent(name: string, config: Config): Promise<AgentDefinition | undefined> {
  const module = config.agent(name, "module");
  if (module !== undefined) return loadModule(name, module.value, module.from);
  const translator = config.agent(name, "translator");
  return translator === undefined ? undefined : defineAgent({ id: name, translator: translator.value });
}

async function loadModule(name: string, specifier: string, from: string): Promise<AgentDefinition> {
  const file = from.replace(/:\d+$/, "");
  const path = resolve(dirname(file), specifier);
  const problem = (why: string, cause?: unknown) =>
    new HarnessError("invalid_agent", `${from}: the agent "${name}" cannot be loaded from ${path}: ${why}`, {
      cause,
    });
  if (!existsSync(path)) throw problem("there is no such file");
  const loaded: unknown = await import(pathToFileURL(path).href).catch((error: unknown) => {
    throw problem(messageOf(error), error);
  });
  const exported =
    typeof loaded === "object" && loaded !== null && "default" in loaded ? loaded.default : undefined;
  if (!isAgentInput(exported)) throw problem("it must default-export what defineAgent returns");
  try {
    return defineAgent({ ...exported, id: name });
  } catch (error) {
    throw problem(messageOf(error), error);
  }
}

function isAgentInput(value: unknown): value is AgentInput {
  return typeof value === "object" && value !== null && "id" in value && typeof value.id === "string";
}
