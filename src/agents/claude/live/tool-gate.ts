import { asObject, asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import { toJson } from "../../../text/to-json.js";
import { toolRuleOf } from "../../shared/tool-table.js";
import { claudeTodoTools } from "../todos.js";
import { claudeTools, silentTools, subagentTools } from "../tools.js";
import { type Place, requestedOperations } from "./operations.js";
import { planTool, questionTool } from "./requests.js";

/**
 * The hook that `initialize` asks for: Claude Code calls it before every call of a tool, also those of subagents. A call
 * whose hook is not answered in time is refused, so the time is long: harness may not read for a while. `onFailure` is new in
 * 2.1.325.
 */
export const toolHooks: JsonObject = {
  PreToolUse: [{ hookCallbackIds: ["harness_before_tool"], timeout: 1_000_000, onFailure: "block" }],
};

/**
 * Makes Claude Code ask before every call. By itself it asks only for what it holds to be dangerous: it reads files in the
 * workspace and runs commands that only read, so that no rule about them could be kept. The hook is answered at once
 * with `ask`, and the permission request for the call follows. A person may take any time to answer that one, and it says
 * more than the hook.
 */
export interface ToolGate {
  /** The answer to the hook. */
  decide(request: JsonObject): JsonObject;
  /** The call was allowed for the rest of the session. */
  allowAlways(callId: string | undefined): void;
  /** The turn has ended. */
  forgetCalls(): void;
}

/** Calls that do nothing which other calls are not asked for: they ask the user, plan, or only concern what runs already. */
const quietTools: ReadonlySet<string> = new Set([
  questionTool,
  planTool,
  "EnterPlanMode",
  "ToolSearch",
  "BashOutput",
  "TaskOutput",
  "TaskStop",
  "KillShell",
  "TaskGet",
  ...Object.keys(claudeTodoTools),
  ...silentTools,
  ...subagentTools,
]);

export function createToolGate(workspace: string): ToolGate {
  const allowed = new Set<string>();
  /** What each call of the turn would do. */
  const effects = new Map<string, string>();

  return {
    decide(request) {
      const hook = asObject(request["input"]) ?? {};
      const name = asText(hook["tool_name"]) ?? "";
      const input = asObject(hook["tool_input"]) ?? {};
      // A subagent with a worktree of its own makes one on the disk.
      const isIsolated = input["isolation"] !== undefined && input["isolation"] !== null;
      if (quietTools.has(name) && !isIsolated) return {};
      const effect = effectOf(name, input, { directory: asText(hook["cwd"]), workspace });
      effects.set(asText(request["tool_use_id"]) ?? "", effect);
      return decision(allowed.has(effect) ? "allow" : "ask");
    },
    allowAlways(callId) {
      const effect = effects.get(callId ?? "");
      if (effect !== undefined) allowed.add(effect);
    },
    forgetCalls: () => effects.clear(),
  };
}

function decision(permissionDecision: "allow" | "ask"): JsonObject {
  return { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision } };
}

/**
 * What is allowed together: the same operations, such as another edit of a file. A command must also have the same options, since it
 * can ask to run without a sandbox. A tool that is not known must have the same input.
 */
function effectOf(name: string, input: JsonObject, place: Place): string {
  const operations = requestedOperations(name, input, place).map((operation) => ({
    ...operation,
    startLine: undefined,
    endLine: undefined,
  }));
  if (operations.length === 0) return toJson([name, input]);
  if (toolRuleOf(claudeTools, name)?.as !== "shell") return toJson(operations);
  const { description: _, timeout: __, command: ___, ...options } = input;
  return toJson([...operations, ...Object.entries(options)]);
}
