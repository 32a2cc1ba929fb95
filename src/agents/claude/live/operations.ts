import type { RequestedOperation } from "../../../events/event.js";
import { asObject, firstText } from "../../../text/fields.js";
import type { JsonValue } from "../../../text/json.js";
import { toRequested } from "../../frame/operation-drafts.js";
import { toOperations, toolRuleOf } from "../../shared/tool-table.js";
import { claudeTools } from "../tools.js";

/** Where a call would work. */
export interface Place {
  /** The directory of the agent that makes the call. */
  directory: string | undefined;
  /** That of the session. What happens elsewhere is reported with its directory. */
  workspace: string | undefined;
}

/** Tools that use the network, and the fields of their input that name the address. */
const fetchTools: Readonly<Record<string, readonly string[]>> = { WebFetch: ["url"], WebSearch: [] };

const mcpTool = /^mcp__(.+?)__(.+)$/;

/**
 * What a call would do, by the same table as calls that were made. Empty for a tool that touches neither files nor
 * programs nor the network, and for one that is not known.
 */
export function requestedOperations(
  name: string,
  input: JsonValue | undefined,
  { directory, workspace }: Place,
): RequestedOperation[] {
  const rule = toolRuleOf(claudeTools, name);
  if (rule !== undefined) {
    const requested = toRequested(toOperations(rule, input, rule.as === "skill" ? workspace : directory));
    return directory === undefined || directory === workspace
      ? requested
      : requested.map((operation) => locatedIn(directory, operation));
  }
  if (Object.hasOwn(fetchTools, name)) {
    const url = firstText(asObject(input) ?? {}, fetchTools[name] ?? []);
    return [url === undefined ? { type: "fetch" } : { type: "fetch", url }];
  }
  const [, server, tool] = mcpTool.exec(name) ?? [];
  return server === undefined || tool === undefined ? [] : [{ type: "mcp", server, tool }];
}

/** A command, search or list that names no directory works where the agent is. */
function locatedIn(directory: string, operation: RequestedOperation): RequestedOperation {
  if (operation.type === "command") return { workingDirectory: directory, ...operation };
  if (operation.type === "search" || operation.type === "list") return { path: directory, ...operation };
  return operation;
}
