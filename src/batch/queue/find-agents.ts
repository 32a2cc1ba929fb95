import type { AgentDefinition } from "../../agents/definition.js";
import { inspectAgent } from "../../process/inspect-agent.js";
import type { ResolveArm } from "../batch.js";

export interface FoundAgents {
  /** The agents of this machine, with their versions. Null: it reports none. */
  agents: Readonly<Record<string, string | null>>;
  /** Why others cannot be run here, by their ids. */
  problems: Readonly<Record<string, string>>;
}

/** Looks for the agents' programs. An agent without a program of its own is taken to be there: the plan names the program. */
export async function findAgents(
  definitions: readonly AgentDefinition[],
  resolveArm: ResolveArm,
): Promise<FoundAgents> {
  const agents: Record<string, string | null> = {};
  const problems: Record<string, string> = {};
  await Promise.all(
    definitions.map(async (definition) => {
      const { id } = definition;
      const binary = binaryOf(id, resolveArm);
      if (binary === undefined && definition.binaries.length === 0) {
        agents[id] = null;
        return;
      }
      const report = await inspectAgent(definition, { binary });
      if (report.isInstalled) agents[id] = report.version ?? null;
      else problems[id] = report.problem ?? `${definition.name} is not installed`;
    }),
  );
  return { agents, problems };
}

function binaryOf(agent: string, resolveArm: ResolveArm): string | undefined {
  try {
    return resolveArm({ id: agent, agent }).binary;
  } catch {
    return undefined;
  }
}
