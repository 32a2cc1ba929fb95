import { AgentDefinitionSchema } from "../agents/agent-schemas.js";
import type { AgentDefinition, Capabilities } from "../agents/definition.js";
import type { Abilities } from "../agents/live-contract.js";
import { processPerTurn } from "../agents/process-per-turn.js";
import { agents } from "../agents/registry.js";
import { sessionAbilities } from "../agents/session-abilities.js";
import { checkOptions } from "../text/check-options.js";
import { locateProgram } from "./locate-program.js";
import { probeVersion } from "./probe-version.js";

/** What is known about an agent on this machine. */
export interface AgentReport {
  agent: string;
  name: string;
  isInstalled: boolean;
  /** The path of its program. */
  binary?: string;
  version?: string;
  /** Versions whose streams are recorded and tested. */
  recordedVersions: readonly string[];
  /** Why it cannot be run. */
  problem?: string;
  /** Why its events may be incomplete. */
  warning?: string;
  capabilities: Capabilities;
  /** How it is talked with, and what it can do then. Absent if no live session with it is possible. */
  live?: { protocol: string; abilities: Abilities };
  /** A run of it can have a fresh home (`isolated`). */
  canBeIsolated: boolean;
  /** The environment variables that can hold its credentials: whether each is set, never the value. */
  credentials: Readonly<Record<string, boolean>>;
  install: string;
  docs: string;
}

export interface InspectOptions {
  /** The program to use instead of the one on PATH. */
  binary?: string | undefined;
  env?: Readonly<Record<string, string | undefined>>;
}

/** Finds an agent's program and asks it for its version. Never starts a session. */
export async function inspectAgent(
  agent: AgentDefinition,
  options: InspectOptions = {},
): Promise<AgentReport> {
  checkOptions(AgentDefinitionSchema, agent, "agent");
  const env = options.env ?? process.env;
  const abilities = sessionAbilities(agent);
  const report: AgentReport = {
    agent: agent.id,
    name: agent.name,
    isInstalled: false,
    recordedVersions: agent.version.recorded,
    capabilities: agent.capabilities,
    ...(abilities !== undefined && { live: { protocol: agent.live?.id ?? processPerTurn, abilities } }),
    canBeIsolated: agent.isolation !== undefined,
    credentials: Object.fromEntries(agent.credentials.map((name) => [name, Boolean(env[name])])),
    install: agent.install,
    docs: agent.docs,
  };
  const wanted = {
    agentName: agent.name,
    names: agent.binaries,
    binary: options.binary,
    install: agent.install,
  };
  const located = locateProgram(wanted, { env, cwd: process.cwd() });
  if ("failure" in located) return { ...report, problem: located.failure.message };
  const version = await probeVersion(located.path, agent.version.args);
  const warning = warningAbout(agent, version);
  return {
    ...report,
    isInstalled: true,
    binary: located.path,
    ...(version !== undefined && { version }),
    ...(warning !== undefined && { warning }),
  };
}

function isOurs(agent: AgentDefinition): boolean {
  return agents.some(({ id }) => id === agent.id);
}

function warningAbout(agent: AgentDefinition, version: string | undefined): string | undefined {
  const { recorded } = agent.version;
  // The authors of a custom agent know which version they wrote its mapping for.
  if (recorded.length === 0)
    return isOurs(agent)
      ? "its stream is known from its documentation only; no version was recorded"
      : undefined;
  if (version === undefined) return "it did not report its version";
  if (recorded.includes(version)) return undefined;
  return `its stream was recorded with ${recorded.join(", ")}; what ${version} prints differently becomes "unknown" events, never lost`;
}
