import { asArray, asInteger, asObject, asText, joinTextBlocks } from "../../text/fields.js";
import type { JsonObject, JsonValue } from "../../text/json.js";
import { resolvePath } from "../../text/paths.js";
import type { Finished, OpenCall, Operation, Sink } from "../contract.js";
import { shellOperations } from "../shared/tool-table.js";

/** How one kind of item reads as a tool call. */
export interface ItemRule {
  name(item: JsonObject): string;
  input(item: JsonObject): JsonValue | undefined;
  /** `input` is what the call started with. */
  output(item: JsonObject, input: JsonValue | undefined): JsonValue | undefined;
  /** What it did; left out if it is reported in another way, or is not an operation. */
  operations?(item: JsonObject, out: Sink): Operation[];
  isSuccess(item: JsonObject): boolean | undefined;
}

/** The items that are tool calls. Messages, reasoning and errors are not. */
export const itemRules: Readonly<Record<string, ItemRule>> = {
  command_execution: {
    name: () => "command_execution",
    input: (item) => pick(item, ["command"]),
    output: (item) => item["aggregated_output"],
    /** No directory is reported per command, so paths in commands stay as written. */
    operations: (item) => {
      const command = asText(item["command"]);
      return command === undefined ? [] : shellOperations(command, {});
    },
    isSuccess: (item) => {
      const exitCode = exitCodeOf(item);
      return exitCode === undefined ? byStatus(item) : exitCode === 0;
    },
  },
  file_change: {
    name: () => "file_change",
    input: (item) => pick(item, ["changes"]),
    output: () => undefined,
    operations: (item, out) =>
      (asArray(item["changes"]) ?? []).flatMap((change) => {
        const path = asText(asObject(change)?.["path"]);
        return path === undefined ? [] : [{ type: "write", path: resolvePath(path, out.cwd) }];
      }),
    /** A failed patch may have written some of its files: only `completed` is success. */
    isSuccess: byStatus,
  },
  mcp_tool_call: {
    name: (item) =>
      ["mcp", asText(item["server"]), asText(item["tool"])].filter((part) => part !== undefined).join("__"),
    input: (item) => item["arguments"] ?? undefined,
    output: (item) => item["error"] ?? resultText(asObject(item["result"])) ?? item["result"] ?? undefined,
    isSuccess: byStatus,
  },
  web_search: {
    name: () => "web_search",
    input: (item) => pick(item, ["query", "action"]),
    /** What is searched for is mostly not known yet when it starts. */
    output: (item, input) =>
      asText(item["query"]) === asObject(input)?.["query"] ? undefined : pick(item, ["query", "action"]),
    /** It carries no status: an item that completes has been searched. */
    isSuccess: () => true,
  },
  todo_list: {
    name: () => "todo_list",
    input: (item) => pick(item, ["items"]),
    output: (item) => pick(item, ["items"]),
    isSuccess: () => true,
  },
  collab_tool_call: {
    name: (item) => asText(item["tool"]) ?? "collab_tool_call",
    input: (item) => pick(item, ["prompt", "receiver_thread_ids"]),
    output: (item) => pick(item, ["agents_states"]),
    isSuccess: byStatus,
  },
};

/** The text of an MCP result that has only text, as other agents report it. */
function resultText(result: JsonObject | undefined): JsonValue | undefined {
  const words = joinTextBlocks(result?.["content"]);
  return typeof words === "string" && (result?.["structured_content"] ?? null) === null ? words : undefined;
}

/** How the item of a call ended. */
export function finishedOf(rule: ItemRule, call: OpenCall, item: JsonObject, native: JsonObject): Finished {
  const output = rule.output(item, call.input);
  return { isSuccess: rule.isSuccess(item), output, exitCode: exitCodeOf(item), native };
}

/** -1 stands for a process that could not be made (0.166.0), which has no exit code. */
function exitCodeOf(item: JsonObject): number | undefined {
  const exitCode = asInteger(item["exit_code"]);
  return exitCode === -1 ? undefined : exitCode;
}

function byStatus(item: JsonObject): boolean | undefined {
  const status = asText(item["status"]);
  return status === undefined ? undefined : status === "completed";
}

/** The named fields that hold something. */
function pick(item: JsonObject, keys: readonly string[]): JsonObject {
  const picked: JsonObject = {};
  for (const key of keys) {
    const value = item[key];
    if (value !== undefined && value !== null) picked[key] = value;
  }
  return picked;
}
