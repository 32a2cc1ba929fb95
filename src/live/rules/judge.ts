import type { RequestedOperation } from "../../events/live-event.js";
import { cutEndOf } from "../../text/cut.js";
import { judgeScript } from "./judge-command.js";
import { opinionOnPath, pathOf } from "./judge-paths.js";
import { type CompiledRule, compileRule, type Opinion, opinionOn, toVerdict } from "./opinion.js";
import { parseRules } from "./parse-rules.js";
import type { Places } from "./path-pattern.js";
import type { PermissionRules, Verdict } from "./rule.js";

/** What an agent asks for: the tool, and what it would do if that is known. */
export interface JudgedRequest {
  name: string;
  operations?: readonly RequestedOperation[];
  input?: unknown;
}

export type Judge = (request: JudgedRequest) => Verdict;

/**
 * Judges requests by rules: deny before ask before allow, over all operations of a request. What no rule names is `ask`. The
 * judge never throws. Patterns with symbolic links are resolved once, here, so that a link that is made later is not followed.
 *
 *     const judge = createJudge({ allow: ["read"], deny: ["read: .env*"] }, { cwd, home, realPath });
 *     judge({ name: "Read", operations: [{ type: "read", path: ".env" }] }).decision; // "deny"
 */
export function createJudge(given: PermissionRules, places: Places): Judge {
  const rules = parseRules(given).map((rule) => compileRule(rule, places));
  return (request) => {
    try {
      return toVerdict(opinionsOn(request, rules, places));
    } catch {
      return { decision: "ask", reason: "the request could not be judged" };
    }
  };
}

function opinionsOn(
  { name, operations = [] }: JudgedRequest,
  rules: readonly CompiledRule[],
  places: Places,
): Opinion[] {
  const tool = opinionOn(rules, {
    what: `the tool ${cutEndOf(name, 80)}`,
    operation: "tool",
    names: (rule) => rule.tool?.names(name) ?? "no",
    allows: (rule) => rule.tool?.allows(name) ?? false,
  });
  if (operations.length === 0) return [tool];
  // A rule about the tool by name also counts if its operations are known, except to allow it.
  const { allow: _allow, askAll: _askAll, ...refused } = tool;
  const isAll = refused.deny?.pattern === undefined;
  const { deny: _deny, ...rest } = refused;
  return [
    { ...(isAll ? rest : refused), allow: true },
    ...operations.flatMap((operation) => opinionsOnOperation(operation, rules, places)),
  ];
}

function opinionsOnOperation(
  operation: RequestedOperation,
  rules: readonly CompiledRule[],
  places: Places,
): Opinion[] {
  const located = pathOf(operation);
  if (located !== undefined) return [opinionOnPath(rules, located, [places.cwd], places)];
  switch (operation.type) {
    case "command":
      return judgeScript(operation.command, baseOf(operation.workingDirectory, places), rules, places);
    case "fetch":
      return [
        opinionOn(rules, {
          what: `fetching ${cutEndOf(operation.url ?? "an address that is not named", 120)}`,
          operation: "fetch",
          names: ({ fetch }) => fetch?.names(operation.url) ?? "no",
          allows: ({ fetch }) => fetch?.allows(operation.url) ?? false,
        }),
      ];
    case "mcp":
      return [
        opinionOn(rules, {
          what: `${operation.tool} of the MCP server ${operation.server ?? "that is not named"}`,
          operation: "mcp",
          names: ({ mcp }) => mcp?.names(operation) ?? "no",
          allows: ({ mcp }) => mcp?.allows(operation) ?? false,
        }),
      ];
    case "skill":
      return [
        opinionOn(rules, {
          what: `the skill ${operation.skillName ?? operation.path}`,
          operation: "skill",
          names: ({ skill }) => skill?.names(operation) ?? "no",
          allows: ({ skill }) => skill?.allows(operation) ?? false,
        }),
      ];
    default:
      return [{ what: "an operation that is not known" }];
  }
}

/** A working directory may be relative. */
function baseOf(directory: string | undefined, { cwd }: Places): string {
  if (directory === undefined || directory === "") return cwd;
  return /^(?:\/|[A-Za-z]:[\\/]|\\\\)/.test(directory) ? directory : `${cwd}/${directory}`;
}
