import { dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type AgentInput, defineAgent } from "../agents/define-agent.js";
import type { AgentDefinition } from "../agents/definition.js";
import { agents, findAgent } from "../agents/registry.js";
import { HarnessError, messageOf } from "../errors.js";
import { didYouMean } from "../suggest.js";
import type { Config } from "./load-config.js";

/** The agent with this name: one of the user's own (`[agents.NAME]`), else a built-in one. */
export async function resolveAgent(name: string, config: Config): Promise<AgentDefinition> {
  const own = await loadOwnAgent(name, config);
  const agent = own ?? findAgent(name);
  if (agent !== undefined) return agent;
  const names = [...agents.map(({ id }) => id), ...ownAgentNames(config)];
  const message = `unknown agent "${name}"${didYouMean(name, names)}; known agents: ${names.join(", ")}`;
  throw new HarnessError("unknown_agent", message);
}

/** Names of the agents that the configuration defines. */
export function ownAgentNames(config: Config): string[] {
  const names = config.files.flatMap((file) =>
    Object.entries(file.values.agents ?? {}).flatMap(([name, settings]) =>
      settings.module !== undefined || settings.translator !== undefined ? [name] : [],
    ),
  );
  return [...new Set(names)];
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
