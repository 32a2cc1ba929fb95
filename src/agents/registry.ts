import { HarnessError } from "../errors.js";
import { suggestFrom } from "../text/suggest.js";
import { acp } from "./acp/definition.js";
import { antigravity } from "./antigravity/definition.js";
import { bob } from "./bob/definition.js";
import { claude } from "./claude/definition.js";
import { cline } from "./cline/definition.js";
import { codex } from "./codex/definition.js";
import { copilot } from "./copilot/definition.js";
import { cursor } from "./cursor/definition.js";
import type { AgentDefinition } from "./definition.js";
import { droid } from "./droid/definition.js";
import { gemini } from "./gemini/definition.js";
import { generic } from "./generic/definition.js";
import { goose } from "./goose/definition.js";
import { grok } from "./grok/definition.js";
import { kilo } from "./kilo/definition.js";
import { kimi } from "./kimi/definition.js";
import { opencode } from "./opencode/definition.js";
import { pi } from "./pi/definition.js";
import { qwen } from "./qwen/definition.js";

/** The built-in agents, in the order they are listed. A new agent is one folder and one line here. */
const builtIn = [
  claude,
  codex,
  opencode,
  cursor,
  cline,
  goose,
  kilo,
  pi,
  antigravity,
  bob,
  gemini,
  qwen,
  copilot,
  grok,
  droid,
  kimi,
  acp,
  generic,
] as const satisfies readonly AgentDefinition[];

/** The definitions of all built-in agents. */
export const agents: readonly AgentDefinition[] = builtIn;

/** The ids of the built-in agents. */
export type BuiltInAgentId = (typeof builtIn)[number]["id"];

/** The id of a built-in agent, which editors complete, or any other name: an alias, or an agent of your own. */
export type AgentId = BuiltInAgentId | (string & Record<never, never>);

const byName = new Map<string, AgentDefinition>();
for (const agent of agents) for (const name of [agent.id, ...agent.aliases]) byName.set(plain(name), agent);

/** The agent with this id or alias; case, `-` and `_` do not matter. */
export function findAgent(name: AgentId): AgentDefinition | undefined {
  return byName.get(plain(name));
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[-_\s]/g, "");
}

/** The agent with this name. Throws an error that lists the known agents if there is none. */
export function requireAgent(name: AgentId): AgentDefinition {
  const agent = findAgent(name);
  if (agent !== undefined) return agent;
  throw new HarnessError(
    "unknown_agent",
    `unknown agent "${name}"${suggestFrom(
      name,
      agents.map(({ id }) => id),
      "known agents",
    )}`,
  );
}
