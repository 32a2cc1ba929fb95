import type { SessionRequest } from "../../agents/live-contract.js";
import type { RequestedOperation } from "../../events/live-event.js";
import { wishesOf } from "../../story/describe-request.js";
import { cleanLine } from "../../text/cut.js";
import { relativeTo } from "../../text/paths.js";

/** What `always` allows for the rest of a session. */
export interface Grant {
  /** A rule if harness keeps it, else words: the agent decides what counts as the same. */
  what: string;
  /** What the rule does not say. */
  note: string;
}

export interface GrantOptions {
  /** harness keeps it, beside the rules of the session. */
  hasRules: boolean;
  agentName: string;
  cwd: string | undefined;
}

export function toGrant(request: SessionRequest, { hasRules, agentName, cwd }: GrantOptions): Grant {
  const { operations = [], name } = request;
  if (!hasRules) {
    const wishes = wishesOf(request, cwd).map(({ verb, object }) => `${verb} ${object}`);
    return { what: cleanLine(wishes.join(" and ")), note: `${agentName} decides what counts as the same` };
  }
  const rules = operations.map((operation) => ruleOf(operation, cwd));
  const isCommand = operations.length > 0 && operations.every(({ type }) => type === "command");
  return {
    what: cleanLine(rules.length === 0 ? `tool: ${name}` : rules.join(" and ")),
    note: isCommand ? "" : "only with exactly the same content",
  };
}

function ruleOf(operation: RequestedOperation, cwd: string | undefined): string {
  const pattern = patternOf(operation, cwd);
  return pattern === undefined || pattern === "" ? operation.type : `${operation.type}: ${pattern}`;
}

function patternOf(operation: RequestedOperation, cwd: string | undefined): string | undefined {
  switch (operation.type) {
    case "command":
      return operation.command;
    case "fetch":
      return operation.url;
    case "mcp":
      return operation.server === undefined ? operation.tool : `${operation.server}/${operation.tool}`;
    case "skill":
      return operation.skillName ?? operation.path;
    default:
      return operation.path === undefined ? undefined : relativeTo(operation.path, cwd);
  }
}
