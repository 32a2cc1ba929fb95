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
export const PermissionRules = v.pipe(
  v.strictObject({ allow: v.optional(ruleTexts), deny: v.optional(ruleTexts), ask: v.optional(ruleTexts) }),
  // Without rules everything would be asked, which has a name of its own.
  v.check(
    ({ allow = [], deny = [], ask = [] }) => allow.length + deny.length + ask.length > 0,
    'must have a rule in allow, deny or ask; write "ask" to be asked about everything',
  ),
);
export type PermissionRules = v.InferOutput<typeof PermissionRules>;

/** All rules of several sets. A rule that is in two of them is kept once. */
export function mergeRules(sets: readonly PermissionRules[]): PermissionRules {
  const merged = (list: "allow" | "deny" | "ask") => [...new Set(sets.flatMap((rules) => rules[list] ?? []))];
  return { allow: merged("allow"), deny: merged("deny"), ask: merged("ask") };
}

/** The same rules, but only reading is allowed, and writing is denied: what `read-only` and rules together mean. */
export function toReadOnly({ allow = [], deny = [], ask = [] }: PermissionRules): PermissionRules {
  const reading = allow.filter((text) => /^\s*(?:read|search|list|skill)\s*(?::|$)/.test(text));
  return { allow: reading, deny: [...new Set([...deny, "write"])], ask };
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
