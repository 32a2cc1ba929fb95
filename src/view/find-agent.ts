import type { AgentDefinition } from "../agents/definition.js";
import { generic } from "../agents/generic/definition.js";
import { resolveAgent } from "../config/configured-agents.js";
import type { Config } from "../config/load-config.js";

/** The definition of a recorded agent; one that is not known here is read as any program is. */
export type FindAgent = (name: string) => Promise<{ agent: AgentDefinition; isUnknown: boolean }>;

export function createFindAgent(config: Config): FindAgent {
  const found = new Map<string, ReturnType<FindAgent>>();
  return (name) => {
    const known = found.get(name);
    if (known !== undefined) return known;
    const search = resolveAgent(name, config).then(
      (agent) => ({ agent, isUnknown: false }),
      () => ({ agent: generic, isUnknown: true }),
    );
    found.set(name, search);
    return search;
  };
}
