import type { AgentDefinition } from "../agents/definition.js";
import { declareAgent } from "../config/configured-agents.js";
import type { Config } from "../config/load-config.js";
import { standInOf } from "../runs/archive/as-recorded.js";
import type { Recording } from "../runs/archive/recording.js";
import { findRecordedAgent } from "../runs/archive/replay.js";

/** Finds the definition of a recorded agent. The output of an agent that is not known here is read like that of any program. */
export type FindAgent = (recording: Recording) => { agent: AgentDefinition; isUnknown: boolean };

/** The agents that recordings are read with. Reading a recording loads no modules; only runs do. */
export interface KnownAgents {
  find: FindAgent;
  /** Adds an agent that was loaded for a run from this page, so that its recordings are read with it. */
  remember(agent: AgentDefinition): void;
}

export function createKnownAgents(config: Config): KnownAgents {
  const loaded = new Map<string, AgentDefinition>();
  return {
    find(recording) {
      const agent =
        findRecordedAgent(recording) ??
        loaded.get(recording.meta.agent) ??
        configured(recording.meta.agent, config);
      return agent === undefined
        ? { agent: standInOf(recording), isUnknown: true }
        : { agent, isUnknown: false };
    },
    remember(agent) {
      loaded.set(agent.id, agent);
    },
  };
}

function configured(name: string, config: Config): AgentDefinition | undefined {
  try {
    const { agent, module } = declareAgent(name, config);
    return module === undefined ? agent : undefined;
  } catch {
    return undefined;
  }
}
