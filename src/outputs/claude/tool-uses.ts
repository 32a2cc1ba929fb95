import type { EventOf } from "../../events/event.js";
import type { PlannedOperation } from "../../events/live-event.js";
import { classifyCommand } from "../../shell/classify-command.js";
import { firstText, isObject } from "../../text/fields.js";
import { resolvePath } from "../../text/paths.js";
import { type ToolUse, toolUseOf } from "./tool-input.js";

/** A call as calls of Claude Code. */
export interface ToolUses {
  uses: ToolUse[];
  /** How many operations follow the end of the call. */
  expected: number;
  /** Each use is one operation of the call, with an outcome of its own. */
  isSplit: boolean;
}

/** Tools that start a subagent. Claude Code calls its own `Agent`, and before 2.1 `Task`. */
const subagentNames: ReadonlySet<string> = new Set([
  "Agent",
  "Task",
  "agent",
  "delegate",
  "invoke_agent",
  "invoke_subagent",
  "spawn_agent",
  "spawn_subagent",
  "subagent",
  "task",
]);

export function isSubagentCall(name: string): boolean {
  return subagentNames.has(name);
}

/**
 * A call that says what it does becomes the tool of Claude Code that does the same. A call that does several things becomes
 * several. Any other call keeps its name.
 */
export function toolUsesOf(call: EventOf<"tool_start">, cwd: string): ToolUses {
  const { name, input = {}, operations = [] } = call;
  const [first] = operations;
  if (first === undefined) return { uses: [otherUse(call)], expected: 0, isSplit: false };
  const expected = operations.length;
  const script = scriptOf(call, operations, cwd);
  if (script !== undefined) return { uses: [bash(name, input, script)], expected, isSplit: false };
  return {
    uses: operations.map((operation) => toolUseOf(operation, call, cwd)),
    expected,
    isSplit: expected > 1,
  };
}

function otherUse({ name, input = {} }: EventOf<"tool_start">): ToolUse {
  if (!isSubagentCall(name)) return { name, input };
  if (name === "Agent" || name === "Task") return { name, input };
  const fields = isObject(input) ? input : {};
  const prompt = firstText(fields, ["prompt", "instructions", "task", "message", "description"]) ?? "";
  const type = firstText(fields, ["subagent_type", "agent_type", "agent_name", "agent", "source", "name"]);
  const description = firstText(fields, ["description", "title"]) ?? name;
  return { name: "Task", input: { description, prompt, ...(type !== undefined && { subagent_type: type }) } };
}

function bash(name: string, input: unknown, command: string): ToolUse {
  const own = name === "Bash" && isObject(input) ? input : {};
  return { name: "Bash", input: { ...own, command } };
}

/** The command of a shell call, without `bash -lc` around it. Undefined if Claude Code's shell would not do the same with it. */
function scriptOf(
  { name, input }: EventOf<"tool_start">,
  operations: readonly PlannedOperation[],
  cwd: string,
): string | undefined {
  const [first] = operations;
  const written = isObject(input) ? firstText(input, ["command", "cmd", "script"]) : undefined;
  if (first?.type === "command") {
    if (operations.length > 1 || name === "Monitor") return undefined;
    return name === "Bash" && written !== undefined ? written : first.command;
  }
  if (written === undefined) return undefined;
  const { command, operations: found } = classifyCommand(written);
  const isSame =
    found.length === operations.length &&
    found.every((one, index) => isSameOperation(one, operations[index], cwd));
  if (!isSame) return undefined;
  return name === "Bash" ? written : command;
}

/** Some agents report paths as they are written, which Claude Code's shell resolves. */
function isSameOperation(one: object, other: PlannedOperation | undefined, cwd: string): boolean {
  if (other === undefined) return false;
  const [a, b] = [new Map(Object.entries(one)), new Map(Object.entries(other))];
  const path = (value: unknown): unknown =>
    typeof value === "string" ? resolvePath(value, cwd || undefined) : value;
  return (
    ["type", "query", "startLine", "endLine"].every((key) => a.get(key) === b.get(key)) &&
    path(a.get("path")) === path(b.get("path"))
  );
}
