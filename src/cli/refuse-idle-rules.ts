import type { PermissionMode } from "../agents/definition.js";
import { HarnessError } from "../errors.js";
import type { PermissionRules } from "../live/rules/rule.js";

type Permissions = PermissionMode | PermissionRules;

/** Refuses rules that allow nothing: where nobody can answer, they would deny everything that the agent tries. */
export function refuseIdleRules(
  permissions: Permissions | undefined,
  { where, advice }: { where: string; advice: string },
): Permissions | undefined {
  const allowsNothing =
    permissions === "ask" || (typeof permissions === "object" && (permissions.allow ?? []).length === 0);
  if (!allowsNothing) return permissions;
  const message = `the rules allow nothing, and nobody can answer in ${where}; ${advice}`;
  throw new HarnessError("invalid_option", message);
}
