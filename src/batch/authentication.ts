import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { AgentDefinition } from "../agents/definition.js";
import type { Environment } from "../runs/files/user-directory.js";

/**
 * How an agent signs in, as far as it can be seen from outside: the first of its variables that is set, else the first of its files that
 * exists. Runs that sign in differently may have other limits and other models. No value and no file is read.
 */
export function authenticationOf(
  { credentials, isolation }: Pick<AgentDefinition, "credentials" | "isolation">,
  env: Environment,
): string | undefined {
  const variable = credentials.find((name) => (env[name] ?? "") !== "");
  if (variable !== undefined) return variable;
  const { variables = {}, credentials: files = [] } = isolation ?? {};
  const home = env["HOME"] || homedir();
  for (const { in: name, file } of files) {
    const path = variables[name] ?? "";
    const directory = name === "HOME" ? home : env[name] || join(home, path);
    if (existsSync(join(directory, file))) return `file ${join(path, file)}`;
  }
  return undefined;
}
