import { readdirSync, readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { AgentDefinition } from "../agents/definition.js";
import { HarnessError } from "../errors.js";

/**
 * Refuses an agent whose user has allowed something for good in the agent's own settings: it would do that without asking, so no
 * rule about it could be kept.
 */
export function refuseGranted(agent: AgentDefinition, env: Readonly<Record<string, string>>): void {
  const granted = agent.live?.granted;
  if (granted === undefined) return;
  const files = granted.paths({ env, home: env["HOME"] ?? homedir() }).flatMap(filesAt);
  const found = files.find((file) => granted.allows(textOf(file)));
  if (found === undefined) return;
  const message = `${agent.name} does what ${found} allows without asking, so rules for permissions cannot be kept; remove what that file allows, or choose another agent`;
  throw new HarnessError("unsupported_option", message);
}

/** The file itself, or the files in the folder. */
function filesAt(path: string): string[] {
  try {
    if (!statSync(path).isDirectory()) return [path];
    return readdirSync(path).map((name) => join(path, name));
  } catch {
    return [];
  }
}

/** What we cannot read, the agent cannot read either. */
function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
