import * as v from "valibot";
import { problemWith } from "./parse-rules.js";

const ruleTexts = v.pipe(
  v.array(
    v.pipe(
      v.string(),
      v.rawCheck(({ dataset, addIssue }) => {
        const problem = dataset.typed ? problemWith(dataset.value) : undefined;
        if (problem !== undefined) addIssue({ message: problem });
      }),
    ),
  ),
  v.readonly(),
);

/**
 * Rules for permissions, as people write them: `read`, `write: src/**`, `command: git push *`, `fetch: example.com`, `mcp: *`.
 * They speak of operations, not of an agent's tools, so one set serves every agent. Deny comes before ask, ask before allow.
 * What no rule names is asked, or denied if nobody can answer.
 */
export const PermissionRules = v.strictObject({
  allow: v.optional(ruleTexts),
  deny: v.optional(ruleTexts),
  ask: v.optional(ruleTexts),
});
export type PermissionRules = v.InferOutput<typeof PermissionRules>;

/** True if there is no rule at all. Such rules would ask for everything, which has a name of its own: `ask`. */
export function areEmptyRules({ allow = [], deny = [], ask = [] }: PermissionRules): boolean {
  return allow.length + deny.length + ask.length === 0;
}

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
