import type { RequestedOperation } from "../../events/live-event.js";
import { type ParsedRule, parseRules } from "./parse-rules.js";
import type { PermissionRules } from "./rule.js";

type OperationType = RequestedOperation["type"];

/** What each type is called in a sentence. */
const phrases: Readonly<Record<OperationType, string>> = {
  read: "reads files",
  write: "writes files",
  search: "searches files",
  list: "lists directories",
  command: "runs commands",
  fetch: "fetches addresses",
  mcp: "uses tools of MCP servers",
  skill: "uses skills",
};

/** What a command can do besides being a command. */
const withinCommands: readonly OperationType[] = ["read", "write", "search", "list", "fetch"];

/**
 * What cannot be kept for an agent that does operations of these types without asking: one sentence each, to follow the agent's
 * name and "cannot be run with these rules:". A type may go unasked only if a rule without a pattern allows it, and no rule
 * denies it or asks about it.
 */
export function unenforceable(rules: PermissionRules, unasked: readonly OperationType[]): string[] {
  const parsed = parseRules(rules);
  return [...new Set(unasked)].flatMap((type) => {
    const isAbout = ({ operation }: ParsedRule): boolean =>
      operation === type || (type === "command" && withinCommands.some((each) => each === operation));
    const kept = parsed.filter((rule) => rule.list !== "allow" && isAbout(rule));
    if (kept.length > 0)
      return kept.map(
        ({ list, text }) => `it ${phrases[type]} without asking, so ${list} "${text}" cannot be kept`,
      );
    const isAllowed = parsed.some(
      (rule) => rule.list === "allow" && rule.operation === type && rule.pattern === undefined,
    );
    return isAllowed ? [] : [`it ${phrases[type]} without asking, and no rule allows "${type}" as a whole`];
  });
}
