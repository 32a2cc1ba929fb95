import type { AgentDefinition, PermissionMode } from "../agents/definition.js";
import { HarnessError } from "../errors.js";
import { type PermissionRules, permissionsName } from "../live/rules/rule.js";
import { cleanLine } from "../text/cut.js";
import { type Config, fileOf } from "./load-config.js";
import { isProjectConfig } from "./locate-config.js";

/**
 * Refuses a run without full access if a configuration file gives the agent an argument or variable that may let it do more. Nobody
 * knows all such arguments of every version of every agent, so only arguments that are known to be harmless pass. A
 * project's file may set variables for credentials, proxies and the language. The user's own file may set any variable
 * except those that control permissions.
 */
export function refuseWeakening(
  agent: AgentDefinition,
  permissions: PermissionMode | PermissionRules,
  config: Config,
): void {
  if (permissions === "full-access") return;
  const isReading = permissions === "read-only";
  const limit = isReading ? "read, and this run is read-only" : `it may (${permissionsName(permissions)})`;
  const args = config.agent(agent.id, "extra_args");
  const argument = args && findDoubtful(args.value, agent.harmlessArguments ?? []);
  if (args !== undefined && argument !== undefined)
    throw refuse(args.from, `the argument "${cleanLine(argument)}" (extra_args)`, agent, limit);
  const env = config.agent(agent.id, "env");
  if (env === undefined) return;
  const isOfProject = isProjectConfig(fileOf(env));
  const name = Object.keys(env.value).find((each) => isDoubtful(each, agent, isOfProject));
  if (name !== undefined) throw refuse(env.from, `the variable ${cleanLine(name)} (env)`, agent, limit);
}

/** The first argument that is not known to be harmless: `--option`, `--option=value` or `--option value`. */
export function findDoubtful(words: readonly string[], harmless: readonly RegExp[]): string | undefined {
  const isHarmless = (text: string): boolean => harmless.some((pattern) => pattern.test(text));
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    const value = words[at + 1];
    if (!word.startsWith("-")) return word;
    if (value !== undefined && !value.startsWith("-") && isHarmless(`${word}=${value}`)) at += 1;
    else if (!isHarmless(word)) return word;
  }
  return undefined;
}

function isDoubtful(name: string, agent: AgentDefinition, isOfProject: boolean): boolean {
  if (agent.permissionVariables?.includes(name)) return true;
  return isOfProject && !agent.credentials.includes(name) && !plainVariable.test(name);
}

const plainVariable = /^(?:(?:https?|all|no)_proxy|LANG|LANGUAGE|LC_[A-Z]+|TZ|NO_COLOR)$/i;

function refuse(from: string, what: string, agent: AgentDefinition, limit: string): HarnessError {
  const message = `${cleanLine(from)}: ${what} may let ${agent.name} do more than ${limit}; remove it from the file, or run with --permissions full-access`;
  return new HarnessError("weakened_permissions", message);
}
