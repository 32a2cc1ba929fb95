import { statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { type AgentInput, defineAgent } from "../agents/define-agent.js";
import type { AgentDefinition } from "../agents/definition.js";
import { HarnessError, messageOf } from "../errors.js";
import { offerOwnPackage } from "./own-package.js";

/** Imports the module of a custom agent, which executes its code. `from` says where the configuration names it. */
export async function loadAgentModule(
  name: string,
  { path, from }: { path: string; from: string },
): Promise<AgentDefinition> {
  const problem = (why: string, cause?: unknown) =>
    new HarnessError("invalid_agent", `${from}: the agent "${name}" cannot be loaded from ${path}: ${why}`, {
      cause,
    });
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) throw problem("there is no such file");
  if (!stats.isFile()) throw problem("it is not a file");
  offerOwnPackage();
  const loaded: unknown = await import(pathToFileURL(path).href).catch((error: unknown) => {
    throw problem(messageOf(error), error);
  });
  const exported =
    typeof loaded === "object" && loaded !== null && "default" in loaded ? loaded.default : undefined;
  if (!isAgentInput(exported)) throw problem("it must default-export what defineAgent returns");
  try {
    // What `defineAgent` returned may have the live protocol of its translator, which is not an input of it.
    const { live, ...input } = exported;
    return { ...defineAgent({ ...input, id: name }), ...(live !== undefined && { live }) };
  } catch (error) {
    throw problem(messageOf(error), error);
  }
}

function isAgentInput(value: unknown): value is AgentInput & Pick<AgentDefinition, "live"> {
  return typeof value === "object" && value !== null && "id" in value && typeof value.id === "string";
}
