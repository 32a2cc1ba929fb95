import * as v from "valibot";
import { texts } from "../../text/option-parts.js";

/**
 * Rules for permissions, as people write them: `read`, `write: src/**`, `command: git push *`, `fetch: example.com`, `mcp: *`.
 * They speak of operations, not of an agent's tools, so one set serves every agent. Deny comes before ask, ask before allow.
 * What no rule names is asked, or denied if nobody can answer.
 */
export const PermissionRules = v.strictObject({
  allow: v.optional(texts),
  deny: v.optional(texts),
  ask: v.optional(texts),
});
export type PermissionRules = v.InferOutput<typeof PermissionRules>;

/** How permissions are named in headers and sidecars: the mode, or `rules`. */
export function permissionsName(permissions: string | PermissionRules): string {
  return typeof permissions === "string" ? permissions : "rules";
}

/** What the rules say about a request. */
export interface Verdict {
  decision: "allow" | "deny" | "ask";
  /** The rule that decided, as it was written. Absent if no rule names what was asked. */
  rule?: string;
  /** One sentence, for the agent and for people: what was refused, and why. */
  reason?: string;
}
