import type { SessionPlan } from "./plan-session.js";
import { createPolicy, type Policy } from "./policy.js";

/** The policy of a session. TODO rules */
export function policyOf({ mode }: SessionPlan, { isUnattended }: { isUnattended: boolean }): Policy {
  return createPolicy({ mode, isUnattended });
}
