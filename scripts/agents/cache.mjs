import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const lockFile = fileURLToPath(new URL("../../agents.lock.json", import.meta.url));

/** The agents of a lock file, in its order, each with its id. */
export function lockedAgents(file = process.env.HARNESS_AGENTS_LOCK || lockFile) {
  const { agents } = JSON.parse(readFileSync(file, "utf8"));
  return Object.entries(agents).map(([id, entry]) => ({ id, ...entry }));
}

/** The cache of the agents. It is outside `node_modules`, so that `npm ci` does not remove it. */
export function cacheDirectory(env = process.env) {
  return env.HARNESS_AGENTS_DIR || join(env.XDG_CACHE_HOME || join(homedir(), ".cache"), "harness", "agents");
}

export function agentDirectory({ id, version }) {
  return join(cacheDirectory(), id, version);
}

/** Why an agent is not available on this machine, or undefined. */
export function unavailableBecause({ package: name, platforms }) {
  const platform = `${process.platform}-${process.arch}`;
  if (platforms === undefined || platforms.includes(platform)) return undefined;
  return `there is no package for ${platform} (${name} is for ${platforms.join(", ")})`;
}

/** An agent's program, or undefined if it is not completely installed. */
export function installedProgram(agent) {
  const program = join(agentDirectory(agent), agent.program);
  return existsSync(join(agentDirectory(agent), completeMark)) && existsSync(program) ? program : undefined;
}

/** Written when an installation is complete. */
export const completeMark = "installed.json";
