import type { AgentDefinition } from "../../agents/definition.js";
import { type AgentReport, inspectAgent } from "../../process/inspect-agent.js";
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
  const reports = await Promise.all(
    definitions.map(async (definition) => ({ definition, report: await find(definition, resolveArm) })),
  );
  // In the order of the definitions, however long each of them took to answer.
  const agents: Record<string, string | null> = {};
  const problems: Record<string, string> = {};
  for (const { definition, report } of reports) {
    const { id, name } = definition;
    if (report === undefined) agents[id] = null;
    else if (report.isInstalled) agents[id] = report.version ?? null;
    else problems[id] = report.problem ?? `${name} is not installed`;
  }
  return { agents, problems };
}

async function find(definition: AgentDefinition, resolveArm: ResolveArm): Promise<AgentReport | undefined> {
  const binary = binaryOf(definition.id, resolveArm);
  if (binary === undefined && definition.binaries.length === 0) return undefined;
  return inspectAgent(definition, { binary });
}

function binaryOf(agent: string, resolveArm: ResolveArm): string | undefined {
  try {
    return resolveArm({ id: agent, agent }).binary;
  } catch {
    return undefined;
  }
}
