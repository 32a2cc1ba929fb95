import type { RequestedOperation } from "../../../src/events/live-event.js";
import type { PermissionRules, Verdict } from "../../../src/live/rules/rule.js";

/** What is asked, and what the rules must say. */
export type Case = readonly [asked: string | RequestedOperation, decision: Verdict["decision"]];

export interface Topic {
  about: string;
  rules: PermissionRules;
  cases: readonly Case[];
}

/** The example of the documentation. */
export const example: PermissionRules = {
  allow: ["read", "search", "list", "command: npm test", "command: git diff *", "write: src/**"],
  deny: ["read: .env*", "write: .git/**", "command: git push *", "command: rm -rf *"],
  ask: ["command", "fetch", "mcp: *"],
};

/** Everything is allowed but a few things: whatever gets past a denial is allowed here. */
export const allBut: PermissionRules = {
  allow: ["command", "read", "write", "search", "list", "fetch"],
  deny: ["command: git push *", "command: rm -rf *", "command: curl", "read: .env*", "write: .git/**"],
};
