import { asNumber, asObject, asText } from "../../text/fields.js";
import type { JsonValue } from "../../text/json.js";
import type { Operation, TodoTool } from "../contract.js";
import { readTodos, todosInText } from "../shared/todos.js";
import { type ToolTable, toOperations, toolRuleOf } from "../shared/tool-table.js";

/** Kimi's tools that are operations (2.1.0). Each command runs in a shell of its own. Lines are counted from 1. */
const kimiTools: ToolTable = {
  Read: { as: "read", path: ["path"], lines: { start: ["line_offset"], count: ["n_lines"] } },
  ReadMediaFile: { as: "read", path: ["path"] },
  Write: { as: "write", path: ["path"] },
  Edit: { as: "write", path: ["path"] },
  Bash: { as: "shell", command: ["command"], workingDirectory: ["cwd"] },
  Grep: { as: "search", query: ["pattern"], path: ["path"] },
  Glob: { as: "search", query: ["pattern"], path: ["path"] },
  Skill: { as: "skill", name: ["skill"] },
};

export function operationsOf(
  name: string,
  input: JsonValue | undefined,
  cwd: string | undefined,
): Operation[] {
  const rule = toolRuleOf(kimiTools, name);
  if (rule === undefined) return [];
  const operations = toOperations(rule, input, cwd);
  if ((asNumber(asObject(input)?.["line_offset"]) ?? 0) >= 0) return operations;
  // A negative offset counts from the end of the file, whose length is not known.
  return operations.map((operation) =>
    operation.type === "read" ? { type: "read", path: operation.path } : operation,
  );
}

/** The text of the result says what became of the list. Kimi does not print whether a call succeeded. */
export const todoTool: TodoTool = {
  read({ input, output }, before) {
    const words = asText(output) ?? "";
    if (words.startsWith("Todo list cleared.")) return [];
    if (words.startsWith("Todo list updated.")) return readTodos(asObject(input)?.["todos"]) ?? before;
    return words.startsWith("Current todo list:") ? (before ?? todosInText(words)) : before;
  },
};
