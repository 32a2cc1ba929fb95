import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const lockFile = fileURLToPath(new URL("../../agents.lock.json", import.meta.url));

/**
 * The agents of a lock file, in its order. Each has a name (`pi`, or `pi@0.74.2` for an older version) and the id of its
 * agent (`pi`). One that needs a newer Node than this project carries it as `node`: a package like its own.
 */
export function lockedAgents(file = process.env.HARNESS_AGENTS_LOCK || lockFile) {
  const { agents, node } = JSON.parse(readFileSync(file, "utf8"));
  return Object.entries(agents).map(([name, entry]) => ({
    name,
    id: name.split("@", 1)[0],
    ...entry,
    ...(entry.needsNode && { node: { name: "node", id: "node", ...node } }),
  }));
}

/** The agents with these names. An id stands for every version of it, no name at all for every agent. */
export function chooseAgents(agents, names) {
  if (names.length === 0) return agents;
  return agents.filter((agent) =>
    [agent.name, agent.id, `${agent.id}@${agent.version}`].some((name) => names.includes(name)),
  );
}

/** True for the version that the suite plays in full; false for an older one beside it. */
export function isNewest({ name, id }) {
  return name === id;
}

/** The cache of the agents. It is outside `node_modules`, so that `npm ci` does not remove it. */
export function cacheDirectory(env = process.env) {
  return env.HARNESS_AGENTS_DIR || join(env.XDG_CACHE_HOME || join(homedir(), ".cache"), "harness", "agents");
}

export function agentDirectory({ id, version }) {
  return join(cacheDirectory(), id, version);
}

/** Why an agent is not available on this machine, or undefined. */
export function unavailableBecause({ package: name, platforms, node }) {
  const platform = `${process.platform}-${process.arch}`;
  if (platforms === undefined || platforms.includes(platform))
    return node === undefined ? undefined : unavailableBecause(node);
  return `there is no package for ${platform} (${name} is for ${platforms.join(", ")})`;
}

/** An agent's program, or undefined if it or the Node that it needs is not completely installed. */
export function installedProgram(agent) {
  const directory = agentDirectory(agent);
  const program = join(directory, agent.node === undefined ? agent.program : launcher);
  if (agent.node !== undefined && installedProgram(agent.node) === undefined) return undefined;
  return existsSync(join(directory, completeMark)) && existsSync(program) ? program : undefined;
}

/** Written when an installation is complete. */
export const completeMark = "installed.json";

/** Starts the program of an agent that needs its own Node. */
export const launcher = "run-with-node";
