import { asArray, asFlag, asInteger, asObject, asText, joinTextBlocks } from "../../text/fields.js";
import type { JsonObject, JsonValue } from "../../text/json.js";
import { resolvePath } from "../../text/paths.js";
import type { Finished, OpenCall, Operation, Sink } from "../contract.js";
import { shellOperations } from "../shared/tool-table.js";
import type { Subagents } from "./subagents.js";

/** How one type of item becomes a tool call. */
export interface ItemRule {
  name(item: JsonObject): string;
  input(item: JsonObject): JsonValue | undefined;
  /** `input` is the input that the call started with. */
  output(item: JsonObject, input: JsonValue | undefined): JsonValue | undefined;
  /** What the call did. Left out: it is not an operation, or is reported in another way. */
  operations?(item: JsonObject, out: Sink): Operation[];
  isSuccess(item: JsonObject): boolean | undefined;
  /** Its end gives neither operations nor `unknown`, because other events report it. */
  isSilent?: true;
}

/** The items that are tool calls, by type. Messages, reasoning and errors are not. */
export const codexTools: Readonly<Record<string, ItemRule>> = {
  command_execution: {
    name: () => "command_execution",
    input: (item) => pick(item, ["command"]),
    output: (item) => item["aggregated_output"] ?? undefined,
    /** `exec` does not report the directory of a command, so paths in commands stay as written there. */
    operations: (item) => {
      const command = asText(item["command"]);
      const workingDirectory = asText(item["cwd"]);
      return command === undefined
        ? []
        : shellOperations(command, { base: workingDirectory, workingDirectory });
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
      (asArray(item["changes"]) ?? []).flatMap((change) =>
        pathsOf(asObject(change)).map((path) => ({ type: "write", path: resolvePath(path, out.cwd) })),
      ),
    /** Only `completed` is a success. A failed patch may have written some of its files. */
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
    /** The query is often not known yet when the search starts. */
    output: (item, input) =>
      asText(item["query"]) === asObject(input)?.["query"] ? undefined : pick(item, ["query", "action"]),
    /** It has no status. A search that completes has succeeded. */
    isSuccess: () => true,
  },
  todo_list: {
    name: () => "todo_list",
    input: (item) => pick(item, ["items"]),
    output: (item) => pick(item, ["items"]),
    isSuccess: () => true,
  },
  /** A tool that the client has given to Codex. Only `app-server` has them. */
  dynamic_tool_call: {
    name: (item) => asText(item["tool"]) ?? "dynamic_tool_call",
    input: (item) => item["arguments"] ?? undefined,
    output: (item) => item["content_items"] ?? undefined,
    isSuccess: (item) => asFlag(item["success"]) ?? byStatus(item),
  },
  /** Only `app-server` reports it. */
  image_view: {
    name: () => "view_image",
    input: (item) => pick(item, ["path"]),
    output: () => undefined,
    operations: (item, out) => {
      const path = asText(item["path"]);
      return path === undefined ? [] : [{ type: "read", path: resolvePath(path, out.cwd) }];
    },
    /** It has no status, and there is an item only if the image could be read. */
    isSuccess: () => true,
  },
};

/** The calls by which Codex starts its subagents, waits for them and closes them. */
export function collaborationRule(subagents: Subagents): ItemRule {
  return {
    name: (item) => asText(item["tool"]) ?? "collab_tool_call",
    input: subagents.input,
    output: subagents.output,
    isSuccess: byStatus,
    isSilent: true,
  };
}

/** The paths of a change. A moved file has two, if both are reported (0.166.0 reports only the old one). */
function pathsOf(change: JsonObject | undefined): string[] {
  const moved = asText(change?.["move_path"]) ?? asText(asObject(change?.["kind"])?.["move_path"]);
  return [asText(change?.["path"]), moved].filter((path) => path !== undefined);
}

/** The text of an MCP result that holds only text, as other agents report it. */
function resultText(result: JsonObject | undefined): JsonValue | undefined {
  const words = joinTextBlocks(result?.["content"]);
  return typeof words === "string" && (result?.["structured_content"] ?? null) === null ? words : undefined;
}

/** How the item of a call ended. */
export function finishedOf(rule: ItemRule, call: OpenCall, item: JsonObject, native: JsonObject): Finished {
  const output = rule.output(item, call.input);
  return { isSuccess: rule.isSuccess(item), output, exitCode: exitCodeOf(item), native };
}

/** -1 means that the process could not be started (0.166.0), so it has no exit code. */
function exitCodeOf(item: JsonObject): number | undefined {
  const exitCode = asInteger(item["exit_code"]);
  return exitCode === -1 ? undefined : exitCode;
}

function byStatus(item: JsonObject): boolean | undefined {
  const status = asText(item["status"]);
  return status === undefined ? undefined : status === "completed";
}

/** The named fields that have a value. */
function pick(item: JsonObject, keys: readonly string[]): JsonObject {
  const picked: JsonObject = {};
  for (const key of keys) {
    const value = item[key];
    if (value !== undefined && value !== null) picked[key] = value;
  }
  return picked;
}
