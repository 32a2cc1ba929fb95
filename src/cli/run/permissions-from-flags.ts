import type { PermissionMode } from "../../agents/definition.js";
import { parseRules } from "../../live/rules/parse-rules.js";
import { mergeRules, type PermissionRules } from "../../live/rules/rule.js";
import { refuseIdleRules } from "../refuse-idle-rules.js";
import type { RunFlags } from "./command.js";

type Permissions = PermissionMode | PermissionRules;

/**
 * What the agent may do. `--permissions` replaces what the configuration says. Rules on the command line are added to those of the
 * configuration, and replace its mode: what no rule names is denied, since nobody can answer.
 */
export function permissionsFromFlags(
  flags: Pick<RunFlags, "permissions" | "allow" | "deny" | "ask">,
  configured: Permissions | undefined,
): Permissions | undefined {
  const { permissions, allow = [], deny = [], ask = [] } = flags;
  if (permissions !== undefined) return permissions;
  const isGiven = allow.length + deny.length + ask.length > 0;
  if (!isGiven) return refuseIdleRules(configured, inRun);
  parseRules({ allow, deny, ask });
  const base = typeof configured === "object" ? [configured] : [];
  return refuseIdleRules(mergeRules([...base, { allow, deny, ask }]), inRun);
}

const inRun = {
  where: "harness run",
  advice: "add rules that allow (--allow read), or choose --permissions read-only or full-access",
};
