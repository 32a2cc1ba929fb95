import { asArray, asFlag, asObject, asText } from "../../text/fields.js";
import type { JsonValue } from "../../text/json.js";
import { resolvePath } from "../../text/paths.js";
import type { Operation, TodoTool } from "../contract.js";
import { mergeTodos, readTodos } from "../shared/todos.js";
import { offsetAndLimit, type ToolTable, toOperations, toolRuleOf } from "../shared/tool-table.js";

const path = ["path", "filePath", "file_path"];

/** Cursor's tools that are operations, by the name before `ToolCall`. Any other tool is `unknown`. */
const cursorTools: ToolTable = {
  shell: { as: "shell", command: ["command"], workingDirectory: ["workingDirectory"] },
  read: { as: "read", path, lines: offsetAndLimit },
  edit: { as: "write", path },
  write: { as: "write", path },
  delete: { as: "write", path },
  applyPatch: { as: "patch", patch: ["patchContent", "patch", "input"] },
  glob: {
    as: "search",
    query: ["globPattern", "glob_pattern", "pattern"],
    path: ["targetDirectory", "target_directory", "path"],
  },
  grep: { as: "search", query: ["pattern", "query"], path: ["path"] },
  semSearch: { as: "search", query: ["query"], path: [] },
  ls: { as: "list", path: ["path"] },
};

/** The tool that runs a subagent. The subagent's own calls are not in the stream. */
export const subagentTool = "task";

/** What a call does. Empty if the tool or its arguments are not recognised. */
export function operationsOf(
  name: string,
  args: JsonValue | undefined,
  cwd: string | undefined,
): Operation[] {
  const rule = toolRuleOf(cursorTools, name);
  if (rule === undefined) return [];
  const operations = toOperations(rule, args, cwd);
  if (name === "edit" && operations.length === 0) return patchedFiles(args, cwd);
  if (name !== "semSearch") return operations;
  return operations.map((operation) =>
    operation.type === "search" ? { ...operation, path: onlyDirectory(args, cwd) } : operation,
  );
}

/** In older versions an edit without a path is a patch. */
function patchedFiles(args: JsonValue | undefined, cwd: string | undefined): Operation[] {
  return toOperations({ as: "patch", patch: ["patchContent"] }, asObject(args)?.["applyPatch"], cwd);
}

function onlyDirectory(args: JsonValue | undefined, cwd: string | undefined): string | undefined {
  const [first, ...others] = asArray(asObject(args)?.["targetDirectories"]) ?? [];
  const directory = asText(first);
  return directory === undefined || others.length > 0 ? undefined : resolvePath(directory, cwd);
}

/** `merge` changes the named entries only. Else the list is replaced. */
export const todoTool: TodoTool = {
  read({ input, isSuccess }, before) {
    const { todos, merge } = asObject(input) ?? {};
    if (!isSuccess) return before;
    if (asFlag(merge) !== true) return readTodos(todos) ?? before;
    return before && mergeTodos(before, todos);
  },
};
